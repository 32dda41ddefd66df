"""Random questions to `recommend`, and what `check` says of the files that it hands over."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from gpuadvisor.advice.recommend import recommend
from gpuadvisor.advice.result import Option, Recommendation
from gpuadvisor.catalog.errors import AdvisorError
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.check.interface import Report
from gpuadvisor.check.run import check
from gpuadvisor.emit import karpenter, kubernetes, launch_template, skypilot, terraform
from gpuadvisor.emit.interface import Plan
from gpuadvisor.emit.plan import plan_of
from gpuadvisor.report.messages import render

TODAY = "2026-11-30"
FORMS: dict[str, ModuleType] = {
    "terraform": terraform,
    "launch-template": launch_template,
    "skypilot": skypilot,
    "kubernetes": kubernetes,
    "karpenter": karpenter,
}
_CLOUDS = ("aws", "gcp", "azure")


class Chosen(NamedTuple):
    """One option of an answer, and the question."""

    asked: dict[str, Any]
    answer: Recommendation
    option: Option

    def plan(self) -> Plan:
        return plan_of(self.answer, catalog(), self.option.rank, "gpuadvisor recommend …")


@cache
def catalog() -> Catalog:
    return load_catalog()


def chosen(rank: int = 1, **asked: Any) -> Chosen:
    """The option of a rank of one question."""
    answer = recommend({"today": TODAY, **asked}, catalog())
    return Chosen(asked, answer, next(o for o in answer.options if o.rank == rank))


def text_of(form: str, rank: int = 1, **asked: Any) -> str:
    """The file of a form for the option of a rank of one question."""
    return _text(form, rank, tuple(asked.items()))


@cache
def _text(form: str, rank: int, asked: tuple[tuple[str, Any], ...]) -> str:
    return str(FORMS[form].text(chosen(rank, **dict(asked)).plan(), render))


def questions(seed: int, providers: tuple[str, ...], number: int) -> Iterator[Chosen]:
    """So many questions that have an answer, over workloads, regions, terms, devices, counts."""
    rng = random.Random(seed)
    workloads = sorted(catalog().documents("workloads"))
    regions = {p: sorted({o.region for o in catalog().offers(p)}) for p in _CLOUDS}
    found = 0
    while found < number:
        asked: dict[str, Any] = {"provider": rng.choice(providers)}
        if rng.random() < 0.9:
            asked["workload"] = rng.choice(workloads)
        if asked["provider"] in regions and rng.random() < 0.6:
            asked["region"] = rng.choice(regions[asked["provider"]])
        if rng.random() < 0.7:
            terms = ("on_demand", "spot", "spot", "reserved", "committed_use", "savings_plan",
                     "capacity_block", "flex_start")  # fmt: skip
            asked["purchase"] = rng.choice(terms)
        if rng.random() < 0.4:
            asked["device"] = rng.choice(("T4", "L4", "A10G", "A100", "H100", "H200", "V100"))
        if rng.random() < 0.3:
            asked["gpus"] = rng.choice((1, 2, 4, 8, 16, 32))
        if rng.random() < 0.2:
            asked["hours_per_month"] = rng.choice((100, 200, 365))
        if rng.random() < 0.3:
            asked["units_per_month"] = rng.choice(("1e6", "1e8"))
        if rng.random() < 0.2:
            asked["currency"] = rng.choice(("EUR", "CNY"))
        try:
            answer = recommend({"today": TODAY, **asked}, catalog())
        except AdvisorError:
            continue
        if answer.options:
            found += 1
            yield Chosen(asked, answer, rng.choice(answer.options))


def checked(folder: Path, text: str, beside: dict[str, str] | None = None) -> Report:
    """What the command in the head of the file says of it."""
    line = next(x for x in text.splitlines() if x.startswith("#   gpuadvisor check "))
    words = shlex.split(line.removeprefix("#   gpuadvisor check "))
    files = [word for word in words if word.endswith((".tf", ".yaml"))]
    fields: dict[str, Any] = {"today": TODAY}
    flags = words[len(files) :]
    for flag, value in zip(flags[::2], flags[1::2], strict=True):
        fields[flag.removeprefix("--").replace("-", "_")] = value
    for name, content in {files[0]: text, **(beside or {})}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return check([str(folder / name) for name in files], catalog(), **fields)


def on_demand(option: Option) -> Decimal | None:
    """The machines' price an hour on demand, as the catalog lists it, in its currency."""
    offers = catalog().offers(
        option.offer.provider,
        options=["on_demand"],
        regions=[option.offer.region],
        types=[option.type.name],
    )
    return min((o.price for o in offers), default=None)
