"""From which measured device a speed is carried to another.

A workload may be measured on several devices. The speed model is trusted over short distances
more than over long ones, so a device is compared with the measured one nearest to it, not
with the reference of the profile whatever the distance.
"""

from collections.abc import Collection, Mapping
from math import log

from gpuadvisor.workload.interface import KnownRatio, Mode


def anchor(
    mode: Mode,
    device: str,
    speed: float,
    speeds: Mapping[str, float],
    relatives: Collection[str] = (),
) -> KnownRatio | None:
    """The measured device to compare `device` with; None where the mode has no reference.

    A device that was itself measured is its own anchor; else a measured relative (another
    form of the same chip) is, else the nearest in speed. `speed` of the device and `speeds` of
    the measured ones (see `measured_devices`) are batched speeds in one common unit; nearness
    is counted in their logarithms. Measured devices without a speed are passed over.
    """
    known = _known(mode)
    if not known or device in known:
        return known.get(device)
    usable = [entry for name, entry in known.items() if name in speeds]
    related = [entry for entry in usable if entry.device in relatives]
    return min(
        related or usable,
        key=lambda entry: abs(log(speed / speeds[entry.device])),
        default=next(iter(known.values())),
    )


def measured_devices(mode: Mode) -> tuple[str, ...]:
    """The reference device and those with a known ratio to it."""
    return tuple(_known(mode))


def _known(mode: Mode) -> dict[str, KnownRatio]:
    reference = mode.reference
    if reference is None:
        return {}
    itself = KnownRatio(
        reference.device,
        1.0,
        1.0,
        1.0,
        "measured",
        reference.measured,
        reference.source,
        reference.sources,
    )
    return {reference.device: itself} | {entry.device: entry for entry in mode.ratios}
