"""`python -m tools.fit_speed --data FILE.csv`: rebuild `catalogs/benchmarks`, print its errors."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.performance.speed import pooled_name
from tools.fit_speed import crossval, model, ranges, report, tables
from tools.fit_speed.crossval import Target
from tools.fit_speed.evidence import Evidence
from tools.fit_speed.rows import Row, capped, read_groups

OUT = Path(__file__).parents[2] / "catalogs" / "benchmarks"
POOLED = ("pooled-batch", "pooled-fp32", "pooled-latency", "pooled-train")
ALL = "all"
HEAD = """# How far off the speed model is
Written by `python -m tools.fit_speed --data FILE.csv`. Each measurement is predicted from the
others of its group by a model that has not seen its family, or its publisher (all of MLPerf is
one). Errors are median / 90th percentile; order is the share of pairs in the right order, all /
those more than 1.25x apart. At most ten groups of a family and class. Ranges claim {share:.0f} %.
"""
RANGES = "Pairs inside the stated range (number of pairs):"


class Fitted(NamedTuple):
    """A fit with its cross-validation: targets of each class, family and publisher left out."""

    fit: crossval.Fit
    targets: dict[str, dict[str, list[Target]]]
    rules: dict[str, crossval.Rule]


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, cross-validate, write."""
    parser = argparse.ArgumentParser(prog="python -m tools.fit_speed", description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE.csv")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    parser.add_argument("--limit", type=int, default=10, help="groups of a family and class")
    parser.add_argument("--dry-run", action="store_true", help="print the errors, write nothing")
    options = parser.parse_args(arguments)
    catalog = load_catalog()
    groups = capped(read_groups(catalog, options.data), options.limit)
    fitted = cross_validated(groups)
    text = report_of(fitted)
    print(text)
    if not options.dry_run:
        write(fitted, catalog, options.out)
        (options.out / "README.md").write_text(text, encoding="utf-8")


def cross_validated(groups: Sequence[Sequence[Row]]) -> Fitted:
    """Fit all groups and choose each class's step."""
    fit = crossval.Fit(
        model.fit(groups, model.MODEL), model.fit(groups, model.CLASS_ALONE), Evidence(groups)
    )
    targets = {
        left_out: crossval.by_class(crossval.cases(fit, left_out)) for left_out in crossval.BLOCKS
    }
    rules = {
        name: crossval.choose_rule([targets[left_out][name] for left_out in crossval.BLOCKS])
        for name in targets[crossval.FAMILY]
    }
    return Fitted(fit, targets, rules)


def report_of(fitted: Fitted) -> str:
    """The cross-validation as Markdown."""
    lines = [HEAD.format(share=100 * ranges.SHARE)]
    lines += report.summary(fitted.targets, fitted.rules)
    lines += ["", RANGES, "| | measured | fitted | spec |", "|---|---:|---:|---:|"]
    for known_setting in (False, True):
        width = widths(fitted, known_setting)
        for left_out in crossval.BLOCKS:
            misses = {
                name: list(misses_of(fitted, name, left_out, known_setting))
                for name in fitted.rules
            }
            name = "setting known" if known_setting else "class alone"
            held = report.coverage(misses, width)
            lines.append(f"| {name}, {left_out} left out | {held} |")
    return "\n".join([*lines, "", *report.by_class(fitted.targets, fitted.rules), ""])


def write(fitted: Fitted, catalog: Catalog, out: Path) -> None:
    """Write one file a class and the pooled ones; files of classes no longer seen are removed."""
    errors = {setting: widths(fitted, setting) for setting in (False, True)}
    evidence = tables.pairs_by_class(fitted.fit.evidence)
    out.mkdir(parents=True, exist_ok=True)
    made: dict[str, tables.ClassTable] = {}
    for alone, block in zip(fitted.fit.alone, fitted.fit.blocks, strict=True):
        for name in sorted({rows[0].workload_class for rows in block.groups}):
            made[name] = tables.class_table(
                name,
                (alone, block),
                catalog,
                evidence,
                fitted.rules[name],
                (errors[False][name], errors[True][name]),
            )
    classes = sorted(made.items())
    for name in POOLED:
        members = [table for c, table in classes if pooled_name(c) == name]
        members = members or [table for _, table in classes]
        made[name] = tables.pooled_table(name, members, errors[False][ALL])
    for stale in set(out.glob("*.yaml")) - {out / f"{name}.yaml" for name in made}:
        stale.unlink()
    for name, table in sorted(made.items()):
        (out / f"{name}.yaml").write_text(tables.to_yaml(table), encoding="utf-8")
    print(f"{len(made)} files written to {out}")


def misses_of(
    fitted: Fitted, name: str, left_out: str, known_setting: bool
) -> Iterator[crossval.Miss]:
    """The misses of one class in one cross-validation."""
    targets = fitted.targets[left_out][name]
    return crossval.misses(targets, fitted.rules[name], left_out, known_setting)


def widths(fitted: Fitted, known_setting: bool) -> dict[str, dict[str, ranges.Width]]:
    """Half the 80 % range by class and basis, with or without a known setting; `ALL` is pooled."""
    misses = {
        name: [
            miss
            for left_out in crossval.BLOCKS
            for miss in misses_of(fitted, name, left_out, known_setting)
        ]
        for name in fitted.rules
    }
    found: dict[str, dict[str, ranges.Width]] = {name: {} for name in (*misses, ALL)}
    for basis in ("measured", "fitted", "spec"):
        of_basis = {c: [m for m in misses[c] if m.basis == basis] for c in misses}
        pooled = ranges.pooled_width(
            [m for c in of_basis for m in of_basis[c]] or [m for c in misses for m in misses[c]]
        )
        found[ALL][basis] = pooled
        for name, own in of_basis.items():
            found[name][basis] = ranges.class_width(own, pooled)
    return found


if __name__ == "__main__":
    main()
