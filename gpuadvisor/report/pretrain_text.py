"""What `recommend` says of a training from scratch: layout, compression, zones.

Loaded only for options that have such a schedule.
"""

from __future__ import annotations

from gpuadvisor.advice.pretrain_steps import Compressed, Schedule
from gpuadvisor.advice.pretrain_zones import Apart
from gpuadvisor.advice.result import Option
from gpuadvisor.catalog.message import message
from gpuadvisor.performance.parallel import Layout
from gpuadvisor.performance.training_memory import ZERO1
from gpuadvisor.report.figures import number, whole
from gpuadvisor.report.messages import render

NOTHING = 0.005
"""A gain below half a percent is none."""


def schedule_parts(o: Option) -> list[str]:
    """How the model is laid out, where it is split at all, and what compression does."""
    assert o.speed is not None and o.speed.schedule is not None
    schedule, found = o.speed.schedule, []
    layout = schedule.layout
    if layout.replica > 1:
        if o.speed.mfu is not None:
            found.append(_t("net", share=f"{o.speed.mfu.expected * o.speed.efficiency:.0%}"))
        found.append(_t("layout", data=layout.data, tensor=layout.tensor, pipeline=layout.pipeline))
    if schedule.bubble:
        found.append(_t("bubble", share=f"{schedule.bubble:.0%}"))
    if layout.recomputed:
        found.append(_t("recomputed", share=f"{layout.recomputed:.0%}"))
    if schedule.compressed is not None:
        hours = 0.0 if o.run_hours is None else o.run_hours.expected
        found.append(_compressed(schedule.compressed, hours))
    return found


def _compressed(c: Compressed, hours: float) -> str:
    """`hours` are those of the run, compressed."""
    name = "compressed_same" if c.after == c.before else "compressed_nothing"
    if abs(c.gain) > NOTHING:
        name = "compressed_gain" if c.gain > 0 else "compressed_loss"
    return _t(
        name,
        method=_t(f"method_{c.method}"),
        before=number(c.before / 1e9),
        after=number(c.after / 1e9),
        share=f"{abs(c.gain):.0%}" if abs(c.gain) > 0.01 else f"{abs(c.gain):.1%}",
        hours=number(hours * abs(c.gain)),
    )


def apart_part(apart: Apart, currency: str) -> str:
    """The run in several zones beside one placement group."""
    cost = _t("apart_unknown")
    if apart.cost is not None:
        cost = _t("apart_cost", cost=whole(apart.cost), currency=currency)
    return _t(
        "apart",
        zones=apart.zones,
        hours=number(apart.hours),
        together=number(apart.together),
        volume=_volume(apart.gigabytes),
        cost=cost,
    )


def _volume(gigabytes: float) -> str:
    return f"{gigabytes:,.0f} GB" if gigabytes < 1e5 else f"{gigabytes / 1e3:,.0f} TB"


def split_of(layout: Layout) -> str:
    """How a row of the scaling table splits the model, if it does."""
    if layout.replica == 1:
        return ""
    return _t("split", tensor=layout.tensor, pipeline=layout.pipeline)


def explained(o: Option, schedule: Schedule) -> list[str]:
    """The step, what a device sends in it, and the exchange across zones."""
    layout, sent = schedule.layout, schedule.traffic
    lines = [
        _t(
            "step", seconds=number(schedule.seconds), tokens=f"{schedule.tokens:,.0f}",
            micro=layout.micro, sequences=layout.sequences, data=layout.data,
        ),
        _t(
            "traffic", data=number(sent.data / 1e9),
            tensor=_t("traffic_tensor", size=number(sent.tensor / 1e9)) if sent.tensor else "",
            pipeline=_t("traffic_pipeline", size=number(sent.pipeline / 1e9))
            if sent.pipeline else "",
        ),
    ]  # fmt: skip
    if layout.pipeline > 1 and schedule.sharding == ZERO1:
        lines.append(_t("zero1"))
    if o.apart is not None:
        lines.append(
            _t(
                "apart_exchange", apart=number(o.apart.exchange_ms), zones=o.apart.zones,
                together=number(o.apart.exchange_together_ms), source=o.apart.source or "-",
            )
        )  # fmt: skip
    return lines


def _t(id: str, /, **params: object) -> str:
    return render(message(f"pretrain.{id}", **params))
