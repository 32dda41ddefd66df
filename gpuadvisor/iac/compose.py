"""Docker Compose files: which services use devices of the host. Nothing here has a price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.iac.interface import Context, Document, Findings, Note
from gpuadvisor.iac.pods import block, blocks
from gpuadvisor.iac.view import clean, text

KIND = "compose"


def _body(document: Document) -> Any:
    data = document.data
    return data[0] if isinstance(data, list) and len(data) == 1 else data


def detect(document: Document) -> bool:
    """`services` that run images or are built."""
    body = _body(document)
    if not isinstance(body, dict) or not isinstance(body.get("services"), dict):
        return False
    # A GitHub workflow keeps its services inside jobs; dstack and manifests say what they are.
    return not body.keys() & {"apiVersion", "jobs", "type"} and any(
        isinstance(s, dict) and s.keys() & {"image", "build", "extends", "deploy"}
        for s in body["services"].values()
    )


def parse(document: Document, context: Context) -> Findings:
    """A note for each service that uses devices: the host is rented elsewhere, or owned."""
    services = block(_body(document).get("services"))
    notes = []
    for name, service in services.items():
        count = next(_devices(block(service)), None)
        if count is not None:
            address = clean(f"service {name}")
            notes.append(Note(address, message("iac.compose_devices", count=count)))
    return Findings(
        KIND, document.file, (), tuple(notes), len(services), len(services) - len(notes)
    )


def _devices(service: Mapping[str, Any]) -> Iterator[str]:
    """`all`, a number, or how many ids are listed."""
    reserved = block(block(block(service.get("deploy")).get("resources")).get("reservations"))
    for device in blocks(reserved.get("devices") or []):
        wanted = device.get("capabilities")
        if isinstance(wanted, list) and "gpu" in [item for item in wanted if isinstance(item, str)]:
            yield _count(device)
    gpus = service.get("gpus")
    if isinstance(gpus, list):
        yield from (_count(item) for item in blocks(gpus))
    elif (words := text(gpus)) is not None:
        yield clean(words)[:40]
    if service.get("runtime") == "nvidia":
        yield "all"


def _count(device: Mapping[str, Any]) -> str:
    ids = device.get("device_ids")
    if isinstance(ids, list) and ids:
        return str(len(ids))
    words = text(device.get("count"))
    return clean(words)[:40] if words is not None else "all"
