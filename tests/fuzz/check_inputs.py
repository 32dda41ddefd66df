"""Property fuzzing of `check`: whatever the file holds, an answer or a clear error, in bounds.

Run by hand: `python -m tests.fuzz.check_inputs [SECONDS] [SEED]`. Every example is a seed document
with values replaced, removed, moved or grown, or with bytes cut and flipped, and goes through the
whole command in every format. A traceback, an internal error (exit 5), a slow example or growing
memory stops the run with the file kept.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import io
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from gpuadvisor.cli.main import run
from tests.check.support import PLANS, TODAY, deployment, joined, plan, write_catalog
from tests.iac.plans import change
from tests.iac.support import FIXTURES

ALLOWED = {0, 1, 3, 4}
SLOW_SECONDS = 20.0
"""Generous: the machine may be busy. An example takes some tens of milliseconds."""
MOST_MIB = 1500
FORMATS = ("table", "json", "markdown", "github")

SCALARS: list[Any] = [
    None, True, False, 0, -1, 1, 7, 10**30, 1.5, 1e308, -0.0, "", "0", "-3", "1e9", "x" * 3000,
    "{{ .Values.x }}", "${N}", "$N", "\ud800", "\x1b[31m", "::error::x", "g4dn.xlarge", "ml.g5.xlarge",
    "g5.*", "us-east-1", "us-east-1a", "nvidia-tesla-t4", "spot", "optimal", "2x2x4", "v5litepod-8",
    "v5litepod-0", "n1-standard-0", "1g.5gb", "arn:aws:::::", "../../etc/passwd",
]  # fmt: skip


def seeds() -> list[tuple[str, Any]]:
    """(suffix, documents): plans, manifests, templates."""
    instance = {"instance_type": "g4dn.xlarge"}
    group = {
        "min_size": 0, "desired_capacity": 1, "max_size": 9,
        "mixed_instances_policy": [{
            "instances_distribution": [{"on_demand_base_capacity": 1}],
            "launch_template": [{"override": [
                {"instance_type": "g4dn.xlarge", "weighted_capacity": "2"},
                {"instance_requirements": [{"accelerator_count": [{"min": 1}]}]},
            ]}],
        }],
    }  # fmt: skip
    gcp = {
        "machine_type": "n1-standard-4", "zone": "us-central1-a",
        "guest_accelerator": [{"type": "nvidia-tesla-t4", "count": 1}],
    }  # fmt: skip
    found: list[tuple[str, Any]] = [
        ("json", plan(change("aws_instance.a", instance, {"instance_type": "g5.xlarge"}))),
        ("json", plan(change("aws_autoscaling_group.g", group))),
        ("json", plan(change("google_compute_instance.a", gcp))),
        ("yaml", list(yaml.safe_load_all(joined([deployment(), deployment("j", kind="Job")])))),
    ]
    for path in sorted(FIXTURES.glob("kubernetes/*.yaml")):
        found.append(("yaml", list(yaml.safe_load_all(path.read_text()))))
    if PLANS.is_dir():
        for path in sorted(PLANS.glob("*.json")):
            if path.stat().st_size < 60_000:
                text = path.read_text()
                body = json.JSONDecoder().raw_decode(
                    text, text.index("{", text.index("\n{") if text[0] != "{" else 0)
                )[0]
                found.append(("json", body))
    return found


SEEDS = seeds()


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path in a document."""
    found = [path] if path else []
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        found.extend(places(inner, (*path, key)))
    return found


def mutated(document: Any, chance: random.Random) -> Any:
    """One to six changes at random places."""
    document = copy.deepcopy(document)
    for _ in range(chance.randint(1, 6)):
        paths = places(document)
        if not paths:
            return document
        *front, last = chance.choice(paths)
        holder = document
        for key in front:
            holder = holder[key]
        what = chance.randrange(8)
        if what < 4:
            holder[last] = chance.choice(SCALARS)
        elif what == 4:
            del holder[last]
        elif what == 5:
            holder[last] = [copy.deepcopy(holder[last])] * chance.choice((1, 2, 50))
        elif what == 6:
            holder[last] = {chance.choice(("a", "count", "spec", "")): holder[last]}
        else:
            other = chance.choice(paths)
            value: Any = document
            with contextlib.suppress(KeyError, IndexError, TypeError):
                for key in other:
                    value = value[key]
                holder[last] = copy.deepcopy(value)
    return document


def body_of(suffix: str, document: Any, chance: random.Random) -> bytes:
    """The document as bytes, at times damaged."""
    if suffix == "json":
        body = json.dumps(document).encode()
    else:
        body = "\n---\n".join(json.dumps(item) for item in document).encode()
    if chance.random() < 0.25:
        cut = bytearray(body)
        for _ in range(chance.randint(1, 4)):
            if not cut:
                break
            at = chance.randrange(len(cut))
            how = chance.randrange(4)
            if how == 0:
                del cut[at:]
            elif how == 1:
                cut[at] = chance.randrange(256)
            elif how == 2:
                cut[at:at] = bytes(
                    chance.choices(b"{}[]\",:\n\t&*!%@`'|>-", k=chance.randint(1, 40))
                )
            else:
                del cut[at : at + chance.randint(1, 200)]
        body = bytes(cut)
    return body


def answer(path: str, arguments: list[str]) -> tuple[int, float]:
    """(exit code, seconds) of the whole command, its streams thrown away."""
    out, err = io.StringIO(), io.StringIO()
    started = time.perf_counter()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(["check", path, "--today", TODAY, *arguments])
    gc.enable()
    text = out.getvalue() + err.getvalue()
    assert "Traceback" not in text
    assert "\x1b" not in text
    return code, time.perf_counter() - started


def main() -> None:
    """Fuzz for so many seconds (600) and print what was run."""
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    start = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    codes: Counter[int] = Counter()
    slowest = 0.0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["GPUADVISOR_BASE"] = str(write_catalog(folder / "catalogs"))
        os.environ["GPUADVISOR_CACHE"] = str(folder / "cache")
        os.environ["GPUADVISOR_CONFIG"] = ""
        os.environ["GPUADVISOR_DEBUG"] = "1"
        kept = Path(tempfile.gettempdir()) / "gpuadvisor-fuzz-failure"

        @settings(
            max_examples=200,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(st.integers(0, 2**63), st.sampled_from(range(len(SEEDS))), st.sampled_from(FORMATS))
        def example(number: int, which: int, format: str) -> None:
            nonlocal slowest
            chance = random.Random(number)
            suffix, document = SEEDS[which]
            body = body_of(suffix, mutated(document, chance), chance)
            path = folder / f"input.{suffix}"
            path.write_bytes(body)
            arguments = ["--format", format]
            if chance.random() < 0.3:
                arguments += ["--assume-node", "aws/g5.12xlarge@us-east-1", "--max-increase", "9"]
            kept.write_bytes(body)
            code, seconds = answer(str(path), arguments)
            assert code in ALLOWED, (code, number, which, format)
            assert seconds < SLOW_SECONDS, (seconds, number, which, format)
            slowest = max(slowest, seconds)
            codes[code] += 1

        batch = start
        while time.monotonic() - began < limit:
            seed(batch)(example)()
            batch += 1
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            assert peak < MOST_MIB, peak
        kept.unlink(missing_ok=True)
    print(
        f"{sum(codes.values())} examples in {time.monotonic() - began:.0f} s, exit codes"
        f" {dict(sorted(codes.items()))}, slowest {slowest:.2f} s, peak {peak} MiB"
    )


if __name__ == "__main__":
    main()
