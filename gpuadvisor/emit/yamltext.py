"""YAML as people write it: keys in order, scripts as blocks, odd texts quoted by the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml


class _Dumper(yaml.SafeDumper):
    """Lists are indented beneath their key, and nothing is written as an anchor."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def dumped(part: Mapping[str, Any]) -> str:
    """One document."""
    return str(
        yaml.dump(
            part, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1000,
            default_flow_style=False,
        )
    )  # fmt: skip


def documents(head: Sequence[str], parts: Sequence[Mapping[str, Any]]) -> str:
    """The head as comments and the documents, set apart by `---`."""
    return "\n".join(head) + "\n" + "---\n".join(dumped(part) for part in parts)
