"""Texts of the catalog room: faults in files and unknown names."""

from __future__ import annotations

EN: dict[str, str] = {
    "catalog.invalid": "the catalog has {count} fault(s); nothing was used",
    "catalog.more_faults": "and more; the first {limit} faults of a file are listed",
    "catalog.unreadable": "cannot read {file}",
    "catalog.no_files": "no .yaml files under {directory}",
    "catalog.no_snapshot": (
        "the compiled catalog {path} is missing: reinstall gpuadvisor"
        " (pip install --force-reinstall)"
    ),
    "catalog.bad_snapshot": (
        "the compiled catalog {path} cannot be read ({reason}): reinstall gpuadvisor"
    ),
    "catalog.bad_base": (
        "the compiled catalog {path} (GPUADVISOR_BASE) cannot be read ({reason}): compile it anew"
    ),
    "catalog.not_a_directory": "not a folder; give the folder that holds the YAML files",
    "catalog.os_error": "{reason}",
    "catalog.not_a_file": "not a regular file",
    "catalog.file_name": "the file's name has characters that cannot be printed; rename it",
    "catalog.too_many_files": (
        "more than {files} files or {folders} folders lie under it; give the folder that holds"
        " the catalogs"
    ),
    "catalog.too_many_nodes": "more than {limit} keys and values; split the file",
    "catalog.too_large": "the file has {size} bytes; at most {limit} are read",
    "catalog.not_utf8": "not UTF-8 at byte {byte}; save the file as UTF-8",
    "catalog.yaml_syntax": "not valid YAML: {reason}",
    "catalog.alias_refused": "YAML anchors and aliases (*{name}) are not allowed in catalogs",
    "catalog.tag_refused": "the YAML tag {tag} is not allowed in catalogs; write the plain value",
    "catalog.surrogate": "half of a surrogate pair is no character",
    "catalog.one_document": "a second YAML document starts here; a catalog file holds one",
    "catalog.too_deep": "nested more than {limit} levels deep",
    "catalog.key_not_text": "a key must be plain text",
    "catalog.duplicate_key": "`{key}` stands twice; the first is on line {first_line}",
    "catalog.bad_schema_line": "`schema: {value}` is not known; expected one of {expected}",
    "catalog.unknown_key": "unknown key `{key}`",
    "catalog.missing_key": "`{key}` is missing",
    "catalog.bad_value": "`{key}: {value}`: {expected}",
    "catalog.nothing_near": "unknown {kind} `{name}`; no known name is near it",
    "catalog.unknown_name": "unknown {kind} `{name}`; nearest: {nearest}",
    "catalog.kind_command": "command",
    "catalog.kind_device": "device",
    "catalog.kind_instance_type": "instance type",
    "catalog.kind_instance_type_or_device": "instance type or device",
    "catalog.kind_name": "name",
    "catalog.kind_partition": "partition",
    "catalog.kind_policy": "policy",
    "catalog.kind_provider": "provider",
    "catalog.kind_quota": "quota",
    "catalog.kind_region": "region",
    "catalog.kind_rule": "rule",
    "catalog.kind_schema": "schema",
    "catalog.kind_source": "source",
    "catalog.unknown_version": (
        "no version `{version}` of the {provider} prices; there are {available}"
    ),
    "catalog.bad_version_name": "`{text}`: write provider@version, such as aws@2025.04",
    "catalog.no_prices": "no prices of {provider} in the catalogs",
    "catalog.other_currency": "one version is in {before}, the other in {after}: not comparable",
    "catalog.two_providers": "{before} and {after} are two providers: compare versions of one",
    "catalog.memory_differs": (
        "memory_gib is {value}, but a {device} has {memory} GiB (give one device's memory)"
    ),
    "catalog.memory_above": "memory_gib {value} is more than the {memory} GiB of a {device}",
    "catalog.single_interconnect": "{type} has one device: interconnect must be `none`",
    "catalog.many_interconnect": "{type} has several devices: say how they are connected",
    "catalog.bad_cell_key": (
        "`{key}` is no purchase option; write option[/term[/class[/payment]]],"
        " for example reserved/1y/standard/no_upfront"
    ),
    "catalog.low_above_typical": "spot low {low} is above typical {typical}",
    "catalog.too_fine": "{value} has more than 9 decimals",
    "catalog.above_on_demand": "{option} {value} is above the on-demand price {on_demand}",
    "catalog.alias_twice": "alias `{alias}` of {name} already means {owner}",
    "catalog.defined_twice": "`{name}` is already defined in {first}",
}
