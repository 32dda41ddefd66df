"""What stands in a `main.tf`, by the parser; its layout and validity, by Terraform itself."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.emit import terraform
from gpuadvisor.emit.fabric import EFA_CARDS
from gpuadvisor.report.messages import render
from tests.emit.support import catalog, chosen, questions, text_of

hcl2 = pytest.importorskip("hcl2")
_NAMED = os.environ.get("GPUADVISOR_TF_PLUGINS")
_PLACES = [Path(_NAMED)] if _NAMED else [
    *Path("/opt").glob("*"), Path("/usr/local/share/terraform/plugins")
]  # fmt: skip
MIRROR = next((p for p in _PLACES if (p / "registry.terraform.io/hashicorp/aws").is_dir()), None)
"""A folder of providers, as `terraform providers mirror` fills it."""
needs_terraform = pytest.mark.skipif(shutil.which("terraform") is None, reason="needs terraform")

CASES: dict[str, dict[str, Any]] = {
    "aws-spot": {"workload": "ocr", "provider": "aws", "purchase": "spot", "storage": "disk=200GB"},
    "aws-training": {
        "workload": "llm-pretrain", "params": "13e9", "tokens": "100e9", "deadline": "10d",
        "provider": "aws", "purchase": "spot",
    },
    "aws-slices": {"workload": "tts", "provider": "aws", "device": "A100", "qps": "30"},
    "aws-block": {"provider": "aws", "device": "H100", "gpus": "16", "purchase": "capacity_block"},
    "aws-neuron": {"provider": "aws", "software": "neuron", "purchase": "on_demand"},
    "aws-reserved": {"provider": "aws", "device": "L4", "purchase": "reserved"},
    "gcp-spot": {"provider": "gcp", "device": "L4", "purchase": "spot"},
    "gcp-attached": {"provider": "gcp", "device": "T4", "purchase": "on_demand"},
    "gcp-flex": {"provider": "gcp", "device": "A100", "purchase": "flex_start"},
    "gcp-calendar": {"provider": "gcp", "device": "H200", "purchase": "calendar"},
    "gcp-training": {
        "workload": "llm-pretrain", "params": "13e9", "tokens": "100e9", "deadline": "10d",
        "provider": "gcp",
    },
    "azure-spot": {"provider": "azure", "device": "T4", "purchase": "spot", "storage": "disk=1TB"},
    "azure-training": {
        "workload": "llm-pretrain", "params": "13e9", "tokens": "100e9", "deadline": "10d",
        "provider": "azure",
    },
    "azure-fraction": {"provider": "azure", "device": "A10", "purchase": "on_demand"},
}  # fmt: skip


def body_of(**asked: Any) -> dict[str, Any]:
    """The file as its parser sees it; read only."""
    return _parsed(text_of("terraform", **asked))


@cache
def _parsed(text: str) -> dict[str, Any]:
    options = hcl2.SerializationOptions(with_comments=False, strip_string_quotes=True)
    found: dict[str, Any] = hcl2.loads(text, serialization_options=options)
    return found


def resource(body: dict[str, Any], kind: str, name: str = "gpu") -> dict[str, Any]:
    """The one block of a kind and name."""
    found = [b[kind][name] for b in body["resource"] if kind in b and name in b[kind]]
    assert len(found) == 1, (kind, name)
    block: dict[str, Any] = found[0]
    return block


def kinds(body: dict[str, Any]) -> set[str]:
    return {kind for block in body["resource"] for kind in block}


@needs_terraform
def test_the_layout_is_that_of_terraform_fmt(tmp_path: Path) -> None:
    for name, asked in CASES.items():
        (tmp_path / f"{name}.tf").write_text(text_of("terraform", **asked), encoding="utf-8")
    for number, one in enumerate(questions(11, ("aws", "gcp", "azure"), 10)):
        (tmp_path / f"q{number}.tf").write_text(terraform.text(one.plan(), render))
    done = subprocess.run(
        ["terraform", "fmt", "-check", "-diff", str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@needs_terraform
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of hashicorp/aws")
@pytest.mark.parametrize("name", [n for n in CASES if n.startswith("aws")])
def test_terraform_validates_it(name: str, tmp_path: Path) -> None:
    """Against the real schema of hashicorp/aws. Google's and Azure's are in no mirror here."""
    (tmp_path / "main.tf").write_text(text_of("terraform", **CASES[name]), encoding="utf-8")
    settings = tmp_path / "terraform.rc"
    settings.write_text(
        f'provider_installation {{\n  filesystem_mirror {{\n    path = "{MIRROR}"\n  }}\n}}\n'
    )
    environment = {**os.environ, "TF_CLI_CONFIG_FILE": str(settings)}
    for words in (["init", "-backend=false", "-input=false"], ["validate"]):
        done = subprocess.run(
            ["terraform", *words, "-no-color"],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_open_and_disks_are_encrypted(name: str) -> None:
    body, text = body_of(**CASES[name]), text_of("terraform", **CASES[name])
    for open_to_all in re.finditer(r"0\.0\.0\.0/0|::/0", text):
        before = text[: open_to_all.start()]
        assert "egress" in before[before.rindex("resource ") :]
    assert not re.search(r"access_config|public_ip|associate_public|key_name", text)
    if name.startswith("aws"):
        template = resource(body, "aws_launch_template")
        assert template["metadata_options"][0]["http_tokens"] == "required"
        assert template["metadata_options"][0]["http_put_response_hop_limit"] == 1
        disks = [d["ebs"][0] for d in template["block_device_mappings"]]
        assert all(disk["encrypted"] is True for disk in disks)
        assert "aws_iam_role" in kinds(body)
    if name.startswith("gcp"):
        assert resource(body, "google_compute_firewall", "iap")["source_ranges"] == [
            "35.235.240.0/20"
        ]
    if name.startswith("azure"):
        machines = resource(body, "azurerm_linux_virtual_machine_scale_set")
        assert machines["disable_password_authentication"] is True
        assert machines["encryption_at_host_enabled"] is True
        assert "security_rule" not in resource(body, "azurerm_network_security_group")


def test_the_bucket_is_private_and_keeps_versions() -> None:
    aws = body_of(**CASES["aws-training"])
    shut = resource(aws, "aws_s3_bucket_public_access_block", "checkpoints")
    assert [v for k, v in shut.items() if k.startswith(("block", "ignore", "restrict"))] == [
        True
    ] * 4
    versions = resource(aws, "aws_s3_bucket_versioning", "checkpoints")
    assert versions["versioning_configuration"][0]["status"] == "Enabled"
    policy = resource(aws, "aws_iam_role_policy", "checkpoints")["policy"]
    assert "s3:*" not in policy and '"*"' not in policy

    gcp = resource(body_of(**CASES["gcp-training"]), "google_storage_bucket", "checkpoints")
    assert gcp["public_access_prevention"] == "enforced"
    assert gcp["versioning"][0]["enabled"] is True

    azure = resource(body_of(**CASES["azure-training"]), "azurerm_storage_account", "checkpoints")
    assert azure["allow_nested_items_to_be_public"] is False
    assert azure["shared_access_key_enabled"] is False
    assert azure["blob_properties"][0]["versioning_enabled"] is True


def test_spot_takes_several_types_by_price_and_capacity() -> None:
    plan = chosen(**CASES["aws-spot"]).plan()
    policy = resource(body_of(**CASES["aws-spot"]), "aws_autoscaling_group")[
        "mixed_instances_policy"
    ][0]
    shares = policy["instances_distribution"][0]
    assert shares["spot_allocation_strategy"] == "price-capacity-optimized"
    assert (shares["on_demand_base_capacity"],
            shares["on_demand_percentage_above_base_capacity"]) == (0, 0)  # fmt: skip
    named = [o["instance_type"] for o in policy["launch_template"][0]["override"]]
    assert named == list(plan.types) and len(named) > 1


def test_nodes_of_a_training_are_near_each_other_on_all_their_cards() -> None:
    plan = chosen(**CASES["aws-training"]).plan()
    body = body_of(**CASES["aws-training"])
    assert resource(body, "aws_placement_group")["strategy"] == "cluster"
    assert "placement_group" in resource(body, "aws_autoscaling_group")
    cards = resource(body, "aws_launch_template")["dynamic"][0]["network_interfaces"]
    assert cards["for_each"] == f"${{range({EFA_CARDS[plan.type.name]})}}"
    group = resource(body, "aws_vpc_security_group_ingress_rule", "nodes")
    assert group["referenced_security_group_id"] == "${aws_security_group.gpu.id}"

    gcp = body_of(**CASES["gcp-training"])
    near = resource(gcp, "google_compute_resource_policy")["group_placement_policy"][0]
    assert near["collocation"] == "COLLOCATED"
    azure = resource(body_of(**CASES["azure-training"]), "azurerm_linux_virtual_machine_scale_set")
    assert azure["single_placement_group"] is True


def test_types_with_efa_have_their_number_of_cards() -> None:
    """Every type that the catalog gives EFA is in the table, and no other."""
    types = {t.name: t for t in catalog().instance_types().values() if t.provider == "aws"}
    efa = {name for name, kind in types.items() if kind.rdma == "efa"}
    assert efa == {name for name in EFA_CARDS if name in types}


def test_slices_are_cut_at_every_start() -> None:
    plan = chosen(**CASES["aws-slices"]).plan()
    assert plan.partition is not None and plan.slices > 1
    text = text_of("terraform", **CASES["aws-slices"])
    profiles = ",".join([plan.partition] * plan.slices)
    assert f"nvidia-smi mig -cgi {profiles} -C" in text
    assert "scripts/per-boot" in text


def test_a_capacity_block_is_entered_by_its_name() -> None:
    template = resource(body_of(**CASES["aws-block"]), "aws_launch_template")
    assert template["instance_market_options"][0]["market_type"] == "capacity-block"
    target = template["capacity_reservation_specification"][0]["capacity_reservation_target"][0]
    assert target["capacity_reservation_id"] == "${var.capacity_reservation_id}"


def test_a_commitment_is_told_and_not_made() -> None:
    text = text_of("terraform", **CASES["aws-reserved"])
    assert "bought in the" in " ".join(text.replace("# ", "").split())
    assert "mixed_instances_policy" not in text and "reservation" not in text.partition("\n\n")[2]


def test_google_terms() -> None:
    def scheduling(name: str) -> dict[str, Any]:
        template = resource(body_of(**CASES[name]), "google_compute_instance_template")
        found: dict[str, Any] = template["scheduling"][0]
        return found

    assert scheduling("gcp-spot")["provisioning_model"] == "SPOT"
    assert scheduling("gcp-attached")["automatic_restart"] is True
    flex = scheduling("gcp-flex")
    assert flex["provisioning_model"] == "FLEX_START"
    assert flex["max_run_duration"][0]["seconds"] == 7 * 24 * 3600
    request = resource(body_of(**CASES["gcp-flex"]), "google_compute_resize_request")
    assert request["resize_by"] == chosen(**CASES["gcp-flex"]).plan().instances
    assert scheduling("gcp-calendar")["provisioning_model"] == "RESERVATION_BOUND"


def test_an_attached_device_stands_beside_its_machine() -> None:
    template = resource(body_of(**CASES["gcp-attached"]), "google_compute_instance_template")
    assert (
        template["machine_type"].startswith("n1-standard-") and "+" not in template["machine_type"]
    )
    attached = template["guest_accelerator"][0]
    assert (attached["type"], attached["count"]) == ("nvidia-tesla-t4", 1)


@pytest.mark.parametrize("name", CASES)
def test_what_has_no_default_is_named_in_the_head(name: str) -> None:
    text = text_of("terraform", **CASES[name])
    head = text.partition("\n\n")[0]
    for block in body_of(**CASES[name])["variable"]:
        for variable in block:
            assert f"# - {variable}: " in head
    assert "(https://" in head or "your own" in head
    assert head.count("gpuadvisor check main.tf") == 1
    assert all(line.startswith("#") for line in head.splitlines())


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        ({"workload": "ocr", "provider": "nebius"}, "emit.provider"),
        ({"provider": "gcp", "software": "tpu"}, "emit.tpu"),
    ],
)
def test_what_it_cannot_say_it_refuses(asked: dict[str, Any], refusal: str) -> None:
    with pytest.raises(RefusedError) as error:
        text_of("terraform", **asked)
    assert error.value.message.id == refusal
