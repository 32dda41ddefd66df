"""Where a resource stands: the evidence chain, and no default region (infracost 349, 401, 1524)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.iac.plans import change, constant, parse, plan, refers, resource

GPU = {"instance_type": "g5.xlarge"}


def _place(data: Any, region: str | None = None) -> tuple[str | None, str | None]:
    finding = next(f for f in parse(data, region).findings)
    return finding.resource.region, finding.resource.region_evidence


def _aws(expression: Any = None, key: str = "aws", **extra: Any) -> dict[str, Any]:
    provider = {"name": "aws"} if expression is None else {"expressions": {"region": expression}}
    return {
        "resources": [resource("aws_instance.a", key=key)],
        "providers": {key: provider},
        **extra,
    }


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            plan(
                change("aws_instance.a", {**GPU, "region": "eu-west-3"}),
                **_aws(constant("us-east-1")),
            ),
            ("eu-west-3", "field:region"),
        ),
        (
            plan(change("aws_instance.a", GPU), **_aws(constant("us-east-1"))),
            ("us-east-1", "provider"),
        ),
        (
            plan(
                change("aws_instance.a", GPU), **_aws(refers("var.r"), variables={"r": "us-west-2"})
            ),
            ("us-west-2", "provider"),
        ),
        (
            plan(
                change("aws_instance.a", GPU),
                **_aws(refers("var.r"), declared={"r": {"default": "eu-north-1"}}),
            ),
            ("eu-north-1", "provider"),
        ),
        (plan(change("aws_instance.a", GPU), **_aws(refers("local.r"))), (None, None)),
        (plan(change("aws_instance.a", GPU), **_aws()), (None, None)),
        (
            plan(change("aws_instance.a", GPU), **_aws(constant("ap-south-1"), key="aws.mumbai")),
            ("ap-south-1", "provider"),
        ),
        (
            plan(change("aws_instance.a", {**GPU, "availability_zone": "us-west-2-lax-1a"})),
            ("us-west-2", "field:availability_zone"),
        ),
        (
            plan(
                change("aws_instance.a", GPU, {**GPU, "arn": "arn:aws:ec2:sa-east-1:1:instance/i"}),
                **_aws(refers("local.r")),
            ),
            ("sa-east-1", "prior:arn"),
        ),
        (
            plan(change("aws_instance.a", None, {**GPU, "availability_zone": "eu-west-1a"})),
            ("eu-west-1", "field:availability_zone"),
        ),
        (
            plan(
                change("aws_instance.a", GPU),
                **_aws(
                    refers("var.r"),
                    variables={"r": "us-west-2"},
                    declared={"r": {"sensitive": True}},
                ),
            ),
            (None, None),
        ),
    ],
)
def test_aws(data: Any, expected: tuple[str | None, str | None]) -> None:
    assert _place(data) == expected


def test_the_users_region_comes_last_and_is_named() -> None:
    assert _place(plan(change("aws_instance.a", GPU)), "us-east-2") == ("us-east-2", "user")
    known = plan(change("aws_instance.a", GPU), **_aws(constant("eu-west-1")))
    assert _place(known, "us-east-2") == ("eu-west-1", "provider")


def test_unknown_region_is_a_reason() -> None:
    finding = parse(plan(change("aws_instance.a", GPU))).findings[0]
    assert [r.id for r in finding.reasons] == ["iac.region_unknown"]


@pytest.mark.parametrize(
    ("key", "providers", "expected"),
    [
        (
            "module.m:aws",
            {
                "module.m:aws": {
                    "module_address": "module.m",
                    "expressions": {"region": refers("var.r")},
                }
            },
            "eu-west-2",
        ),
        ("module.m:aws", {"aws": {"expressions": {"region": constant("us-west-1")}}}, "us-west-1"),
        ("aws", {"aws": {"expressions": {"region": constant("us-west-1")}}}, "us-west-1"),
    ],
)
def test_provider_of_a_module(key: str, providers: Any, expected: str) -> None:
    inner = {"resources": [resource("aws_instance.a", key=key)], "variables": {"r": {}}}
    data = plan(
        change("module.m[0].aws_instance.a", GPU),
        providers=providers,
        calls={"m": {"expressions": {"r": constant("eu-west-2")}, "module": inner}},
    )
    assert _place(data)[0] == expected


def test_azure_pool_inherits_from_its_cluster_and_the_cluster_from_its_group() -> None:
    data = plan(
        change(
            "azurerm_kubernetes_cluster_node_pool.p",
            {"vm_size": "Standard_NC4as_T4_v3"},
            unknown={"kubernetes_cluster_id": True},
        ),
        change(
            "azurerm_kubernetes_cluster.c", {"name": "c"}, unknown={"resource_group_name": True}
        ),
        change("azurerm_resource_group.g", {"name": "g", "location": "North Europe"}),
        resources=[
            resource(
                "azurerm_kubernetes_cluster_node_pool.p",
                kubernetes_cluster_id=refers("azurerm_kubernetes_cluster.c.id"),
            ),
            resource(
                "azurerm_kubernetes_cluster.c",
                resource_group_name=refers("azurerm_resource_group.g.name"),
            ),
        ],
    )
    assert _place(data) == ("northeurope", "parent:azurerm_kubernetes_cluster.c")


def test_google_pool_takes_region_and_zones_from_its_cluster() -> None:
    data = plan(
        change(
            "google_container_node_pool.p",
            {"node_count": 1, "cluster": "c", "node_config": [{"machine_type": "g2-standard-8"}]},
        ),
        change(
            "google_container_cluster.c",
            {
                "name": "c",
                "location": "us-east1",
                "node_locations": ["us-east1-b", "us-east1-c"],
                "remove_default_node_pool": True,
            },
        ),
    )
    finding = parse(data).findings[0]
    assert finding.after is not None
    assert finding.after.region == "us-east1"
    assert finding.after.counts[:3] == (2, 2, 2)
    assert finding.after.zones == ("us-east1-b", "us-east1-c")


def test_google_region_of_the_provider_zone() -> None:
    data = plan(
        change("google_compute_instance.v", {"machine_type": "g2-standard-4"}),
        resources=[resource("google_compute_instance.v", key="google")],
        providers={"google": {"expressions": {"zone": constant("asia-east1-c")}}},
    )
    assert _place(data) == ("asia-east1", "provider")
