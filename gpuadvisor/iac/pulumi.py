"""Pulumi previews (`pulumi preview --json`), read as the plan they amount to.

Most Pulumi providers are built from Terraform's, with names in camel case: each step becomes a
resource change with the inputs as values, unknown and secret values marked as a plan marks them,
and what a property depends on as a reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import message
from gpuadvisor.iac import terraform
from gpuadvisor.iac.interface import Context, Document, Findings, Note
from gpuadvisor.iac.terraform_config import mapping, sequence
from gpuadvisor.iac.view import UNKNOWN, clean

KIND = "pulumi"

# sdk/go/common/resource/plugin: what stands for an unknown value, and what marks a secret.
_UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
_SIGNATURE = "4dabf18193072939515e22adb298388d"
_HIDDEN = "[secret]"
_CAMEL = str.maketrans({c: f"_{c.lower()}" for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"})
_MAX_DEPTH = 100

_ACTIONS = {
    "same": "no-op",
    "create": "create",
    "import": "no-op",
    "update": "update",
    "delete": "delete",
}
_REPLACES = frozenset(("replace", "create-replacement", "delete-replaced", "import-replacement"))


class _Resource(NamedTuple):
    """One resource over all its steps; `before` and `after` are Pulumi states."""

    urn: str
    token: str
    action: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    imported: bool


def detect(document: Document) -> bool:
    """`steps` that carry an operation and a URN."""
    data = document.data
    if not isinstance(data, dict) or not isinstance(data.get("steps"), list):
        return False
    steps = data["steps"]
    if not steps:
        return "changeSummary" in data or "config" in data
    return all(isinstance(s, dict) and "op" in s and isinstance(s.get("urn"), str) for s in steps)


def parse(document: Document, context: Context) -> Findings:
    """Every accelerator that the preview adds, changes, keeps or removes."""
    preview = document.data
    names = context.documents.get("pulumi/types", {})
    found = list(_resources(preview))
    translation = _Translation(names, found, mapping(preview.get("config")))
    plan = Document(document.file, "json", translation.plan(), lambda _: None)
    findings = terraform.parse(plan, context)
    tokens = {f"{r.token}::{_name(r.urn)}": r.token for r in found}
    notes = findings.notes
    if any(
        str(mapping(d).get("severity")) == "error" for d in sequence(preview.get("diagnostics"))
    ):
        notes = (Note("", message("iac.plan_errored")), *notes)
    return findings._replace(
        kind=KIND,
        notes=notes,
        findings=tuple(
            f._replace(kind=clean(tokens.get(f.address.partition("#")[0], f.kind)))
            for f in findings.findings
        ),
    )


def _resources(preview: Mapping[str, Any]) -> Iterator[_Resource]:
    """Resources of providers, each once: a replacement is three steps, components are none."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for step in preview["steps"]:
        groups.setdefault(step["urn"], []).append(step)
    for urn, steps in groups.items():
        ops = [str(step["op"]) for step in steps]
        before: Mapping[str, Any] = next(
            (s["oldState"] for s in steps if isinstance(s.get("oldState"), dict)), {}
        )
        after: Mapping[str, Any] = next(
            (s["newState"] for s in steps if isinstance(s.get("newState"), dict)), {}
        )
        replaced = any(op in _REPLACES for op in ops)
        known = [op for op in ops if op in _ACTIONS]
        if not replaced and not known:
            continue  # read, refresh: nothing that this stack rents
        state = after or before
        if state.get("custom") is False:
            continue
        token = str(state.get("type") or _type(urn))
        action = "replace" if replaced else _ACTIONS[known[-1]]
        if replaced and not after:
            action = "delete"
        if action == "delete":
            after = {}
        elif action == "create":
            before = {}
        yield _Resource(urn, token, action, before, after, known[-1:] == ["import"])


def _type(urn: str) -> str:
    """`urn:pulumi:stack::project::parent$type::name` -> type."""
    parts = urn.split("::")
    return parts[2].rpartition("$")[2] if len(parts) > 2 else ""


def _name(urn: str) -> str:
    parts = urn.split("::", 3)
    return parts[3] if len(parts) > 3 else urn


class _Translation:
    """Names of types and fields, and the providers that the resources name."""

    def __init__(
        self, names: Mapping[str, Any], found: list[_Resource], config: Mapping[str, Any]
    ) -> None:
        self.types: Mapping[str, str] = names.get("types", {})
        self.fields: Mapping[str, str] = names.get("fields", {})
        self.plugins: Mapping[str, str] = names.get("plugins", {})
        self.settings: Mapping[str, list[str]] = names.get("settings", {})
        self.config = config
        self.providers = {r.urn: r.after or r.before for r in found if _is_provider(r.token)}
        self.resources = [r for r in found if not _is_provider(r.token)]
        # Names of strangers may hold dots and brackets, which mean something in an address.
        self.names = {r.urn: f"r{number}" for number, r in enumerate(self.resources)}
        self.kinds = {r.urn: self._kind(r.token) for r in self.resources}

    def plan(self) -> dict[str, Any]:
        """The preview as a plan document."""
        changes: list[Any] = []
        configured: list[Any] = []
        keys: dict[str, str] = {}
        providers: dict[str, Any] = {}
        for resource in self.resources:
            package = resource.token.partition(":")[0]
            named = str((resource.after or resource.before).get("provider") or package)
            key = keys.setdefault(named, f"p{len(keys)}")
            if key not in providers:
                providers[key] = self._provider(named, package)
            changes.append(self._change(resource, package))
            configured.append(
                {
                    "address": f"{self.kinds[resource.urn]}.{self.names[resource.urn]}",
                    "provider_config_key": key,
                    "expressions": self._expressions(resource),
                }
            )
        return {
            "format_version": "1.0",
            "resource_changes": changes,
            "configuration": {
                "provider_config": providers,
                "root_module": {"resources": configured},
            },
        }

    def _kind(self, token: str) -> str:
        """The Terraform type behind a token; Kubernetes objects are manifests."""
        if token.startswith("kubernetes:"):
            is_release = token.startswith("kubernetes:helm.sh/")
            return "helm_release" if is_release else "kubernetes_manifest"
        # Only the provider's own resources have dots, which an address does not allow.
        return self.types.get(token, token).replace(".", "_")

    def _provider(self, named: str, package: str) -> dict[str, Any]:
        """Settings of an explicit provider, else those of the stack's configuration."""
        urn = named.rpartition("::")[0]
        inputs = mapping(mapping(self.providers.get(urn)).get("inputs"))
        expressions: dict[str, Any] = {}
        for name in self.settings.get(package, ()):
            value = inputs.get(name)
            if value in (None, _UNKNOWN):
                value = self.config.get(f"{package}:{name}")
            if isinstance(value, str) and value != _UNKNOWN:
                expressions[name] = {"constant_value": value}
        return {"name": package, "expressions": expressions}

    def _change(self, resource: _Resource, package: str) -> dict[str, Any]:
        manifest = self.kinds[resource.urn] == "kubernetes_manifest"
        before, _, hidden_before = self._side(resource.before, manifest, True)
        after, unknown, hidden = self._side(resource.after, manifest, False)
        if resource.imported:
            before = after
        replaced = resource.action == "replace"
        return {
            "address": f"{resource.token}::{_name(resource.urn)}",
            "type": self.kinds[resource.urn],
            "name": self.names[resource.urn],
            "provider_name": self.plugins.get(package, package),
            "change": {
                "actions": ["create", "delete"] if replaced else [resource.action],
                "before": before,
                "after": after,
                "after_unknown": unknown,
                "before_sensitive": hidden_before,
                "after_sensitive": hidden,
                "importing": resource.imported or None,
            },
        }

    def _side(self, state: Mapping[str, Any], manifest: bool, before: bool) -> tuple[Any, Any, Any]:
        """(values, unknown, sensitive) of a state; None where there is none."""
        if not state:
            return None, {}, {}
        inputs = mapping(state.get("inputs"))
        if manifest:
            body, _, hidden = self._value(inputs, True, 0)
            return {"manifest": body}, {}, {"manifest": hidden}
        # What the provider reported tells where an existing resource stands.
        values = {**mapping(state.get("outputs")), **inputs} if before else inputs
        return self._value(values, False, 0)

    def _value(self, value: Any, plain: bool, depth: int) -> tuple[Any, Any, Any]:
        """A value with its marks. `plain` keeps names, and unknown values where they stand."""
        if value == _UNKNOWN:
            return (UNKNOWN, False, False) if plain else (None, True, False)
        if value == _HIDDEN or (isinstance(value, dict) and _SIGNATURE in value):
            return _HIDDEN, False, True
        if depth > _MAX_DEPTH:
            return None, False, False
        if isinstance(value, dict):
            found: dict[str, tuple[Any, Any, Any]] = {}
            for key, inner in value.items():
                if not key.startswith("__"):
                    found[key if plain else self._field(key)] = self._value(inner, plain, depth + 1)
            return (
                {key: item[0] for key, item in found.items()},
                {key: item[1] for key, item in found.items() if item[1]},
                {key: item[2] for key, item in found.items() if item[2]},
            )
        if isinstance(value, list):
            items = [self._value(item, plain, depth + 1) for item in value]
            marked = [any(item[mark] for item in items) for mark in (1, 2)]
            return (
                [item[0] for item in items],
                [item[1] for item in items] if marked[0] else False,
                [item[2] for item in items] if marked[1] else False,
            )
        return value, False, False

    def _field(self, key: str) -> str:
        name = key.translate(_CAMEL).lstrip("_")
        return self.fields.get(name, name)

    def _expressions(self, resource: _Resource) -> dict[str, Any]:
        """What is written: each input, with the resources that its property depends on."""
        state = resource.after or resource.before
        depends = mapping(state.get("propertyDependencies"))
        found: dict[str, Any] = {}
        for key, value in mapping(state.get("inputs")).items():
            if key.startswith("__"):
                continue
            references: list[str] = []
            for urn in sequence(depends.get(key)):
                if isinstance(urn, str) and urn in self.names:
                    name = f"{self.kinds[urn]}.{self.names[urn]}"
                    references.extend((f"{name}.id", name))
            found[self._field(key)] = self._expression(value, {"references": references}, 0)
        return found

    def _expression(self, value: Any, leaf: dict[str, Any], depth: int) -> Any:
        """The same shape as the value, so that nested blocks are found as written."""
        if isinstance(value, dict) and _SIGNATURE not in value and depth < _MAX_DEPTH:
            return {self._field(k): self._expression(v, leaf, depth + 1) for k, v in value.items()}
        if isinstance(value, list) and any(isinstance(i, dict) for i in value):
            return [self._expression(item, leaf, depth + 1) for item in value]
        return leaf


def _is_provider(token: str) -> bool:
    return token.startswith("pulumi:")
