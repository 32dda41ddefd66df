"""The policy file: typed, strict, located faults; from a git reference it cannot grant itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from gpuadvisor.catalog.errors import InputError, UsageError
from gpuadvisor.check.policy import Ignore, NameList, Nodes
from gpuadvisor.check.policy_file import Loaded, load_policy, policy_text

WHOLE = """\
currency: EUR
check:
  max_increase: 2000
  max_increase_pct: 25%
  max_decrease: 1万元
  max_total: 20000EUR
  max_hourly_per_resource: 50
  max_devices: 0
  types: {allow: ["g*"], deny: ["p5.*"]}
  options: {deny: [reserved]}
  require_spot_for: ["dev/*"]
  on_unknown: fail
  on_max: ignore
  fail_on: warn
  max_catalog_age: 200
  rules: {GA014: fail}
  ignore:
    - {address: "aws_x.*", reason: agreed, until: 2026-12-31, rules: [GA001]}
  nodes:
    - {labels: {pool: a100}, type: aws/p4d.24xlarge, region: us-east-1, purchase: on-demand}
  note: Ask the platform team.
  discounts: {aws: 12%}
  prices: {"aws/p5.48xlarge@us-east-1:on_demand": 44.0}
  hours_per_month: 200
  currency: eur
  region: eu-west-1
  catalog_version: {aws: 2026.10}
"""


def load(where: str) -> Loaded:
    return load_policy(policy_text(where))


def test_every_key(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(WHOLE, encoding="utf-8")
    policy, fields = load(str(path))
    assert policy.max_increase_pct == 25
    assert policy.max_devices == 0
    assert policy.types == NameList(("g*",), ("p5.*",))
    assert policy.options == NameList((), ("reserved",))
    assert (policy.on_unknown, policy.on_max, policy.fail_on) == ("fail", "ignore", "warn")
    assert policy.level("GA014") == "fail"
    assert policy.ignore == (Ignore("aws_x.*", "agreed", "2026-12-31", ("GA001",)),)
    assert policy.nodes == (
        Nodes("aws/p4d.24xlarge", (("pool", "a100"),), "us-east-1", "on_demand"),
    )
    assert fields == {
        "max_increase": "2000",
        "max_decrease": "1万元",
        "max_total": "20000EUR",
        "max_hourly": "50",
        "hours_per_month": 200.0,
        "currency": "EUR",
        "region": "eu-west-1",
        "discount": ["aws=12%"],
        "price": ["aws/p5.48xlarge@us-east-1:on_demand=44.0"],
        "catalog_version": ["aws=2026.10"],
    }


BAD = [
    ("check: {max_incraese: 5}", 1),
    ("check:\n  max_increase: much", 2),
    ("check:\n  max_increase: -5", 2),
    ("check:\n  on_unknown: maybe", 2),
    ("check:\n  rules: {GA999: fail}", 2),
    ("check:\n  ignore:\n    - {address: x}", 3),
    ("check:\n  ignore:\n    - {address: x, reason: y, until: 2026-02-30}", 3),
    ("check:\n  discounts: {aws: 100%}", 2),
    ("check:\n  prices: {spot: 0}", 2),
    ("check:\n  hours_per_month: 745", 2),
    ("check:\n  max_devices: -1", 2),
    ("check:\n  max_increase: 1\n  max_increase: 2", 3),
    ("check: &a [*a]", 1),
    ("check: [}", 1),
    ("other: 1", 1),
    ("- a", 1),
    ("check: {max_increase: !!python/object/apply:os.system [id]}", 1),
]


@pytest.mark.parametrize(("text", "line"), BAD)
def test_faults_are_located(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load(str(path))
    assert [(p.file, p.line) for p in caught.value.problems][:1] == [(str(path), line)]


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "policy.yaml").write_text("check: {max_devices: 1}\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "policy")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_policy_of_a_reference_is_applied_and_a_change_told(repository: Path) -> None:
    assert load("git:main:policy.yaml").policy.changed is None
    (repository / "policy.yaml").write_text("check: {max_devices: 99}\n")
    policy = load("git:main:policy.yaml").policy
    assert policy.max_devices == 1
    assert policy.changed is not None
    assert policy.changed.id == "check.policy_changed"


def test_line_endings_are_no_change(repository: Path) -> None:
    (repository / "policy.yaml").write_bytes(b"check: {max_devices: 1}\r\n")
    assert load("git:main:policy.yaml").policy.changed is None


def test_a_removed_policy_still_applies(repository: Path) -> None:
    (repository / "policy.yaml").unlink()
    policy = load("git:main:policy.yaml").policy
    assert policy.max_devices == 1
    assert policy.changed is not None
    assert policy.changed.id == "check.policy_removed"


def test_a_policy_that_is_new_does_not_apply_yet(repository: Path) -> None:
    (repository / "new.yaml").write_text("check: {max_devices: 1}\n")
    policy = load("git:main:new.yaml").policy
    assert policy.max_devices is None
    assert policy.changed is not None
    assert policy.changed.id == "check.policy_added"


BAD_NAMES = ["git:main", "git::policy.yaml", "git:main:", "git:--output=x:policy.yaml"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_are_no_reference(repository: Path, name: str) -> None:
    with pytest.raises(UsageError):
        load(name)


@pytest.mark.parametrize("name", ["git:nowhere:policy.yaml", "git:main:.", "git:main:polciy.yaml"])
def test_references_that_git_does_not_know(repository: Path, name: str) -> None:
    with pytest.raises(InputError):
        load(name)
