"""Which policy and which project defaults a check answers under."""

import os
from typing import Any

from gpuadvisor.check.policy import Policy
from gpuadvisor.cli.config import Settings, settings

_SHARED = ("discount", "fx", "currency", "hours_per_month")
"""Project defaults that hold here too. `region` does not: it says where to look for offers, not
where a resource stands."""


def policy_of(config: str | None) -> tuple[Policy, dict[str, Any], Settings]:
    """(policy, defaults of flags, settings) of `--config`, else of the project's config file.

    With `--config` the project's own file is left out altogether, so that a request cannot grant
    itself a discount beside the policy of its target. Raises InputError, UsageError.
    """
    if config is None:
        chosen = settings()
        if chosen.path is None or not chosen.check:
            return Policy(), _defaults(chosen, {}), chosen
        from gpuadvisor.check.policy_file import load_policy, load_section, policy_text

        if chosen.path.endswith(".toml"):
            loaded = load_section(os.path.relpath(chosen.path), chosen.check)
        else:
            loaded = load_policy(policy_text(os.path.relpath(chosen.path)))
        return loaded.policy, _defaults(chosen, loaded.fields), chosen
    from gpuadvisor.check.policy_file import load_policy, policy_text
    from gpuadvisor.cli.config import settings_of

    found = policy_text(config)
    loaded = load_policy(found)
    chosen = Settings() if found.raw is None else settings_of(found.path, found.raw)
    return loaded.policy, _defaults(chosen, loaded.fields), chosen


def _defaults(chosen: Settings, section: dict[str, Any]) -> dict[str, Any]:
    """The section's fields over the project's."""
    shared = {key: chosen.defaults[key] for key in _SHARED if chosen.defaults.get(key)}
    return {**shared, **section}
