"""Terraform for Azure: a scale set, its identity, and what they stand on."""

from __future__ import annotations

from collections.abc import Iterator

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT
from gpuadvisor.emit.boot import BUCKET, boot_script, cloud_config
from gpuadvisor.emit.comments import Say
from gpuadvisor.emit.hcl import Block, Heredoc, Item, Raw, Remark, attributes, block, resource
from gpuadvisor.emit.images import azure_image
from gpuadvisor.emit.interface import Blank, Plan
from gpuadvisor.emit.policy import KEEP_DAYS

PROVIDER = ("azurerm", "hashicorp/azurerm", ">= 4.9, < 5.0")
"""4.9 gives a container the storage account's id."""
TERMS = (ON_DEMAND, SPOT)
MIXES = False
"""Whether the group may take other types where spot has none of the chosen one."""
ADMIN = "azureuser"
_STORE = f"https://{BUCKET}.blob.core.windows.net/checkpoints"


def fill(plan: Plan) -> list[Blank]:
    """Variables without a default."""
    found = [
        ("subnet_id", message("emit.fill_azure_subnet")),
        ("ssh_public_key", message("emit.fill_ssh_key")),
    ]
    if plan.checkpoint is not None:
        found.append(("storage_account_name", message("emit.fill_storage_account")))
    if azure_image(plan) is None:
        found.append(("image_id", message("emit.fill_image")))
    return found


def notes(plan: Plan) -> list[Message]:
    """What else to know of this cloud."""
    return [message("emit.azure_fabric")] if plan.gang and plan.type.rdma is not None else []


def items(plan: Plan, say: Say) -> Iterator[Item]:
    """The file after its terraform block."""
    # Without account keys the provider too must come as itself.
    entra = attributes(storage_use_azuread=True) if plan.checkpoint is not None else []
    yield block("provider", "azurerm", *entra, block("features"))
    yield from _variables(plan, say)
    yield resource(
        "azurerm_resource_group",
        "gpu",
        attributes(name=plan.name, location=plan.region),
    )
    yield resource(
        "azurerm_user_assigned_identity",
        "gpu",
        attributes(name=f"{plan.name}-nodes", **_place(plan)),
    )
    if plan.checkpoint is not None:
        yield from _bucket(plan, say)
    yield Remark(say(message("emit.no_inbound_azure")))
    yield resource(
        "azurerm_network_security_group",
        "gpu",
        attributes(name=plan.name, **_place(plan)),
    )
    script = boot_script(plan, _STORE)
    if script is not None:
        holes = {BUCKET: "azurerm_storage_account.checkpoints.name"}
        yield block("locals", attributes(user_data=Heredoc(cloud_config(script), holes)))
    yield Remark(say(message("emit.encryption_at_host")))
    yield _scale_set(plan, script is not None)


def _place(plan: Plan) -> dict[str, object]:
    return {"resource_group_name": Raw("azurerm_resource_group.gpu.name"), "location": plan.region}


def _variables(plan: Plan, say: Say) -> Iterator[Block]:
    for name, what in fill(plan):
        yield block("variable", name, attributes(description=say(what), type=Raw("string")))


def _bucket(plan: Plan, say: Say) -> Iterator[Item]:
    kept = block("delete_retention_policy", attributes(days=KEEP_DAYS))
    yield Remark(say(message("emit.bucket", days=KEEP_DAYS)))
    yield resource(
        "azurerm_storage_account",
        "checkpoints",
        attributes(
            name=Raw("var.storage_account_name"),
            **_place(plan),
            account_tier="Standard",
            account_replication_type="LRS",
            min_tls_version="TLS1_2",
            https_traffic_only_enabled=True,
            allow_nested_items_to_be_public=False,
            shared_access_key_enabled=False,
        ),
        block("blob_properties", attributes(versioning_enabled=True), kept),
    )
    yield resource(
        "azurerm_storage_container",
        "checkpoints",
        attributes(
            name="checkpoints",
            storage_account_id=Raw("azurerm_storage_account.checkpoints.id"),
            container_access_type="private",
        ),
    )
    yield resource(
        "azurerm_storage_management_policy",
        "checkpoints",
        attributes(storage_account_id=Raw("azurerm_storage_account.checkpoints.id")),
        block(
            "rule",
            attributes(name="replaced", enabled=True),
            block("filters", attributes(blob_types=["blockBlob"])),
            block(
                "actions", block("version", attributes(delete_after_days_since_creation=KEEP_DAYS))
            ),
        ),
    )
    yield resource(
        "azurerm_role_assignment",
        "checkpoints",
        attributes(
            scope=Raw("azurerm_storage_account.checkpoints.id"),
            role_definition_name="Storage Blob Data Contributor",
            principal_id=Raw("azurerm_user_assigned_identity.gpu.principal_id"),
        ),
    )


def _scale_set(plan: Plan, script: bool) -> Block:
    image = azure_image(plan)
    spot = plan.purchase == SPOT
    address = block(
        "ip_configuration",
        attributes(name="private", primary=True, subnet_id=Raw("var.subnet_id")),
    )
    card = attributes(
        name="nic",
        primary=True,
        network_security_group_id=Raw("azurerm_network_security_group.gpu.id"),
    )
    return resource(
        "azurerm_linux_virtual_machine_scale_set",
        "gpu",
        attributes(
            name=plan.name,
            **_place(plan),
            sku=plan.type.name,
            instances=plan.instances,
            priority="Spot" if spot else "Regular",
            eviction_policy="Delete" if spot else None,
            max_bid_price=-1 if spot else None,
            overprovision=False,
            single_placement_group=True if plan.gang else None,
            admin_username=ADMIN,
            disable_password_authentication=True,
            encryption_at_host_enabled=True,
            source_image_id=None if image else Raw("var.image_id"),
            custom_data=Raw("base64encode(local.user_data)") if script else None,
        ),
        block(
            "source_image_reference",
            attributes(
                publisher=image[0],
                offer=image[1],
                sku=image[2],
                version=image[3],
            ),
        )
        if image
        else None,
        block("admin_ssh_key", attributes(username=ADMIN, public_key=Raw("var.ssh_public_key"))),
        block("os_disk", _disk(plan.boot_gb, "ReadWrite")),
        block("data_disk", attributes(lun=0), *_disk(plan.data_gb, "ReadOnly"))
        if plan.data_gb
        else None,
        block("network_interface", *card, address),
        block(
            "identity",
            attributes(
                type="UserAssigned",
                identity_ids=[Raw("azurerm_user_assigned_identity.gpu.id")],
            ),
        ),
        block("spot_restore", attributes(enabled=True, timeout="PT1H"))
        if spot and not plan.gang
        else None,
    )


def _disk(size: int | None, caching: str) -> list[Item]:
    return list(attributes(caching=caching, storage_account_type="Premium_LRS", disk_size_gb=size))
