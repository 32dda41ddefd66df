"""`recommend` for models and latency targets, as a shell sees it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor

# The three commands of the issue, and what each must say beside an answer.
COMMANDS = [
    (
        "recommend --workload llm-chat --model llama-3-8b --qps 20 --input-tokens 1000"
        " --output-tokens 256 --ttft-p99 1s --tpot-p99 100ms",
        ("20.0 requests a second", "1,000 tokens in and 256 out", "99 % of first tokens"),
    ),
    (
        "recommend --workload object-detection --model-memory 4 --qps 2000",
        ("2,000 images a second", "per million images"),
    ),
    (
        "recommend --workload llm-finetune --model llama-3-70b --method qlora --budget 300",
        ("300 USD/run", "Llama 3 70B by qlora", "for the run of about"),
    ),
    (
        "recommend --workload image-classification --no-batched --qps 3000 --latency-p99 20ms"
        " --provider gcp",
        ("warm processes", "slices of"),
    ),
    (
        "recommend --model llama-3.1-70b --precision fp8 --concurrency 30 --provider aws,gcp,azure",
        ("30 users at all times", "Llama 3.1 70B in fp8: 67.67 GiB"),
    ),
    ("recommend --workload tts --concurrency 40 --provider aws", ("40 streams in real time",)),
]


@pytest.mark.parametrize(("command", "words"), COMMANDS)
def test_text(command: str, words: tuple[str, ...]) -> None:
    done = gpuadvisor(*command.split(), "--today", "2026-11-30")
    assert (done.code, done.err) == (0, "")
    flowing = " ".join(done.out.split())
    for part in words:
        assert part in flowing
    assert max(len(line) for line in done.out.splitlines()) <= 80


@pytest.mark.parametrize("command", [command for command, _ in COMMANDS])
def test_json_keeps_its_schema(command: str) -> None:
    done = gpuadvisor(*command.split(), "--today", "2026-11-30", "--format", "json")
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("recommend"))
    for option in document["options"]:
        served = option["performance"].get("served")
        if "llm-chat" in command:
            assert served["ttft_ms"] <= 1000 and served["tpot_ms"] <= 100
        partition = option["device"]["partition"]
        assert (option["device"]["slices"] is None) == (partition is None or "/" in partition)
