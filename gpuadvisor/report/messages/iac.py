"""Texts of the iac room: what was read from infrastructure files, assumed, or not understood."""

from __future__ import annotations

EN: dict[str, str] = {
    # What was assumed, or could not be read, about one resource.
    "iac.value_unknown": "{field} is known only after the change is applied",
    "iac.value_sensitive": "{field} is marked as a secret, so it was not read",
    "iac.value_placeholder": "{field} holds a placeholder that nobody rendered",
    "iac.parameter_unset": "{field} is a parameter without a value; give it with --parameters",
    "iac.condition_unknown": "whether it exists depends on a condition that cannot be told here",
    "iac.count_unreadable": "{field} is not a whole number",
    "iac.region_unknown": "the file does not name the region; give it with --region",
    "iac.region_listed_as": "prices of {region} are listed under {listed}",
    "iac.requirement_not_read": "the requirement {key} is not read; the range may be too wide",
    "iac.overlay": (
        "a node overlay changes what counts as a device: the limit may be in slices, not devices"
    ),
    "iac.terms_open": "it may be rented on any of these terms: {terms}",
    "iac.any_of": "any of these is taken, the cheapest first: {names}",
    "iac.ordered": "the first of these that can be had is taken: {names}",
    "iac.any_cloud": "any cloud may be chosen",
    "iac.clouds": "one of these clouds may be chosen: {names}",
    "iac.device_unreadable": "{field} does not name devices in a form that is known: {value}",
    "iac.any_device": "no device is named: any that fits may be chosen",
    "iac.one_after_another": "the tasks of a pipeline run one after the other",
    "iac.hcl_repeated": "its count or for_each is not literal, so how many there are is unknown",
    "iac.hcl_defaults": "defaults taken: {names}",
    "iac.hcl_module": (
        "a module call is not expanded without a plan, but its arguments name {types}"
    ),
    "iac.count_elsewhere": "how many run is set in another resource",
    "iac.zones_assumed": "the file does not name the zones; {zones} assumed for the region",
    "iac.not_in_catalog": "{type} looks like an accelerator type but is not in the catalog",
    "iac.some_candidates_plain": "the group may also be given types without accelerator: {types}",
    "iac.first_of": "the first of the types listed is used: {types}",
    "iac.several_templates": "the template is one of {count}; the plan does not say which",
    "iac.template_unresolved": "its type comes from a template that is not in the file ({field})",
    "iac.impossible_pairing": "{device} cannot be attached to {machine}",
    "iac.covered_by_reservation": "runs in {address}, which already bills for it",
    "iac.reservation_elsewhere": "targets a reservation outside this file, which may bill for it",
    "iac.reservation_billed": "a reservation is billed while it is held, used or not",
    "iac.capacity_block_prepaid": "a capacity block is paid once, in advance, not per month",
    "iac.commitment_itself": "a commitment is billed whether or not anything runs",
    "iac.dedicated_host": "a dedicated host is billed as a whole, whatever runs on it",
    "iac.dedicated_tenancy": "runs on dedicated hardware, which costs more than the price shown",
    "iac.warm_pool": "a warm pool holds further instances; stopped ones cost only their disks",
    "iac.upper_bound": "an upper bound only: nothing is rented until pods ask for it",
    "iac.single_zone": "without zonal redundancy, which has a lower price",
    "iac.runs_then_ends": "the work ends: the hourly figure counts, a month would mislead",
    "iac.one_per_node": "one pod on each node: the number of nodes is not in the file",
    "iac.shared_device": "a share of a device is asked for; how many share one is not in the file",
    "iac.claim_elsewhere": "the claim {name} is not in the file, so its devices are unknown",
    "iac.claim_shared": "the claim {name} is made once and shared by all who use it",
    "iac.claim_all": "all devices of a node are claimed; how many it has is not in the file",
    "iac.claim_first": "the first of {count} alternatives is counted",
    "iac.claim_slice": "a slice is claimed without a profile that can be read",
    "iac.definition_only": "a definition runs nothing by itself",
    "iac.scheduled": "a schedule changes the count over time",
    "iac.no_accelerator_before": "it had no accelerator before",
    "iac.no_accelerator_after": "it has no accelerator any more",
    "iac.forgotten": "Terraform stops managing it, but it stays and is still billed",
    "iac.moved": "moved from {address}",
    "iac.imported": "it existed before and is only imported",
    "iac.deferred": "Terraform put the change off: its count is not known yet",
    "iac.unmapped_resource": "{kind} is not in the field map; count and terms are not known",
    "iac.unknown_kind": "{kind} is an unknown kind that asks for devices in '{field}'",
    "iac.opaque_body": "its body is not read, but it names an accelerator type",
    "iac.manifest_unreadable": "the YAML in {field} cannot be read",
    # Notes on a whole file.
    "iac.hcl_literals": (
        "read without a plan: only literals and defaults in the same file count; check "
        "`terraform show -json` to see the rest"
    ),
    "iac.compose_devices": "uses {count} device(s) of the host it runs on, which has no price here",
    "iac.own_machines": "runs on machines of your own, which have no price here",
    "iac.template_alone": "a template costs nothing by itself ({type})",
    "iac.not_read": "{kind} is not read; check the output of `helm template` to see what it runs",
    "iac.plan_errored": "the plan ended with an error and may be incomplete",
    "iac.plan_incomplete": "the plan is not complete; apply it and plan again to see the rest",
    "iac.plan_without_configuration": (
        "the plan has no configuration part, so regions and references cannot be followed"
    ),
    # Input that cannot be read; each says what to do next.
    "iac.unreadable": "{file} cannot be read",
    "iac.cannot_open": "{file}: {reason}",
    "iac.is_directory": "{file} is a directory",
    "iac.empty": "{file} is empty; did the command before it fail?",
    "iac.too_large": "{file} is larger than {limit_mib} MiB; raise --max-bytes if that is meant",
    "iac.gzip_truncated": "{file} is a gzip file that was cut off",
    "iac.gzip_broken": "{file} is not a valid gzip file: {reason}",
    "iac.binary": "{file} is binary; a JSON plan or a YAML file is expected",
    "iac.binary_plan": (
        "{file} is a binary plan (or a zip file); write `terraform show -json {file} > plan.json` "
        "and check plan.json"
    ),
    "iac.not_utf8": (
        "not UTF-8 at byte {byte}; convert it, such as with `iconv -f latin1 -t utf-8`"
    ),
    "iac.json_truncated": (
        "the JSON ends too early ({reason}); was the output cut off? Use `set -o pipefail`"
    ),
    "iac.json_syntax": "invalid JSON: {reason}",
    "iac.json_value": "invalid JSON: {reason} is no number",
    "iac.json_unrendered": "a template placeholder makes this invalid JSON; render it first",
    "iac.json_tail": "{file} holds more after the end of its JSON value",
    "iac.too_deep": "nested deeper than {limit} levels",
    "iac.too_deep_json": "{file} is nested too deeply",
    "iac.yaml_too_large": "{file} is larger than {limit_mib} MiB, too large for YAML; split it",
    "iac.yaml_syntax": "invalid YAML: {reason}",
    "iac.yaml_unrendered": (
        "a template placeholder makes this invalid YAML ({reason}); render it first, such as "
        "`helm template . | gpuadvisor check -`"
    ),
    "iac.yaml_bomb": "aliases expand to more than {limit} values",
    "iac.yaml_key": "a list or a mapping cannot be a key",
    "iac.unknown_alias": "the alias '{name}' has no anchor before it",
    "iac.duplicate_key": "the key '{key}' stands twice in one mapping",
    "iac.source_folder": "--source {folder}: name the folder of the root module's sources",
    "iac.hcl_syntax": "invalid Terraform source: {reason}",
    "iac.hcl_too_large": (
        "{file} is larger than {limit_kib} KiB, too large without a plan; check the plan as JSON"
    ),
    "iac.hcl_missing": (
        "{file} is a Terraform source, which needs `pip install 'gpuadvisor[hcl]'`; the plan as "
        "JSON needs nothing and tells more"
    ),
    "iac.plan_version": (
        "{file} has the plan format {version}; formats 0.1 to 1.x are known. A newer release of "
        "gpuadvisor may read it"
    ),
    "iac.plan_json_lines": (
        "{file} is the log of `plan -json`, not a plan; write `terraform plan -out=tfplan` and "
        "`terraform show -json tfplan > plan.json`, and check plan.json"
    ),
    "iac.plan_as_text": (
        "{file} is a plan as text; write `terraform show -json tfplan > plan.json` and check "
        "plan.json"
    ),
    "iac.plan_without_changes": (
        "{file} looks like a plan but has no changes in it; write `terraform show -json tfplan`"
    ),
    "iac.state_file": (
        "{file} is a state, not a plan; write `terraform plan -out=tfplan` and "
        "`terraform show -json tfplan > plan.json`, and check plan.json"
    ),
    "iac.pulumi_program": (
        "{file} is the project of a Pulumi program; write `pulumi preview --json > preview.json` "
        "and check preview.json"
    ),
    "iac.program": (
        "{file} is the source of a program, which is not run; check what it makes: "
        "`pulumi preview --json > preview.json`, or `cdk synth > template.yaml`"
    ),
    "iac.parameters_only": "{file} holds template parameters; check the template and name this "
    "file with --parameters",
    "iac.helm_values": (
        "{file} looks like Helm values, not manifests; write `helm template . -f {file} | "
        "gpuadvisor check -`"
    ),
    "iac.unrecognised": (
        "{file} is none of the formats known (Terraform plan JSON or source, Pulumi preview, "
        "CloudFormation template, Kubernetes manifests, eksctl, SkyPilot, dstack, Ray cluster, "
        "Compose); force one with --kind"
    ),
    "iac.ambiguous": "{file} could be any of {kinds}; choose one with --kind",
    "iac.wrong_kind": "{file} is not of the kind {kind}",
    "iac.unknown_format": "unknown kind '{kind}'; known are {known}",
}
