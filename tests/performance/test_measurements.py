"""Reading measurements: every fault located, nothing guessed."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.measurements import canonical_device, read_measurements

HEADER = (
    "group,device,workload_class,workload,metric,value,higher_is_better,gpu_count,batch,"
    "precision,software,source"
)


def _file(folder: Path, *lines: str, header: str = HEADER) -> str:
    path = folder / "m.csv"
    path.write_text("\n".join((header, *lines)) + "\n", encoding="utf-8")
    return str(path)


def test_a_row_is_read_whole(tmp_path: Path) -> None:
    (row,) = read_measurements(
        _file(tmp_path, "g,T4,llm-decode,Llama-2-7B,ms,12.5,0,2,4,int4,vLLM 0.4,a/b@1:c")
    )
    assert (row.group, row.device, row.workload_class, row.value) == ("g", "T4", "llm-decode", 12.5)
    assert row.setting == ("Llama-2-7B", "int4", "vLLM 0.4", 4.0, 2, "a/b@1:c")
    assert row.performance == pytest.approx(-math.log(12.5))
    assert row.value_of(row.performance) == pytest.approx(12.5)


def test_columns_may_come_in_any_order_and_more_than_known(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        "5,x,cnn-batch,1,T4,g",
        header="value,note,workload_class,Higher_Is_Better,device,group",
    )
    (row,) = read_measurements(path)
    assert (row.device, row.value, row.setting.batch) == ("T4", 5.0, None)


@pytest.mark.parametrize(
    ("line", "column", "id"),
    [
        ("g,T4,c,w,m,fast,1,1,1,,,", 6, "bad_number"),
        ("g,T4,c,w,m,0,1,1,1,,,", 6, "bad_number"),
        ("g,T4,c,w,m,-1,1,1,1,,,", 6, "bad_number"),
        ("g,T4,c,w,m,nan,1,1,1,,,", 6, "bad_number"),
        ("g,T4,c,w,m,1e999,1,1,1,,,", 6, "bad_number"),
        ("g,T4,c,w,m,5,maybe,1,1,,,", 7, "bad_direction"),
        ("g,,c,w,m,5,1,1,1,,,", 2, "empty_cell"),
        ("g", 2, "empty_cell"),
    ],
)
def test_a_fault_has_a_place(tmp_path: Path, line: str, column: int, id: str) -> None:
    good = "g,T4,c,w,m,5,1,1,1,,,"
    with pytest.raises(InputError) as caught:
        read_measurements(_file(tmp_path, good, line, good))
    first = caught.value.problems[0]
    assert (first.line, first.column, first.message.id) == (3, column, f"backtest.{id}")
    assert caught.value.exit_code == 3


def test_all_faults_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_measurements(_file(tmp_path, "g,,c,w,m,x,y,1,1,,,", "g,T4,c,w,m,x,1,1,1,,,"))
    assert [(p.line, p.column) for p in caught.value.problems] == [(2, 2), (2, 6), (2, 7), (3, 6)]


@pytest.mark.parametrize(
    ("content", "id"),
    [
        (b"", "no_columns"),
        (b"a,b\n1,2\n", "no_columns"),
        (HEADER.encode(), "unreadable"),
        (b"\xff\xfe\x00g", "unreadable"),
        (HEADER.encode() + b'\ng,"T4,c,w', "unreadable"),
        (HEADER.encode() + b"\ng,T\x004,c,w,m,5,1,1,1,,,\n", None),
    ],
)
def test_what_is_no_such_file(tmp_path: Path, content: bytes, id: str | None) -> None:
    path = tmp_path / "m.csv"
    path.write_bytes(content)
    if id is None:
        assert len(read_measurements(str(path))) == 1
        return
    with pytest.raises(InputError) as caught:
        read_measurements(str(path))
    assert caught.value.problems[0].message.id == f"backtest.{id}"


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(InputError):
            read_measurements(str(path))


@given(st.binary(max_size=300))
def test_any_bytes_are_rows_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("bytes") / "m.csv"
    path.write_bytes(HEADER.encode() + b"\n" + content)
    try:
        rows = read_measurements(str(path))
    except InputError as error:
        assert error.problems
    else:
        assert all(row.value > 0 for row in rows)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T4", "T4"),
        ("Tesla T4", "T4"),
        # In measurements the short names mean the SXM cards, A100 and H100 the 80 GB ones.
        ("V100-16GB", "V100-16GB-SXM"),
        ("A100", "A100-80GB-SXM"),
        ("H100", "H100-80GB-SXM"),
        ("A100-40GB", "A100-40GB-SXM"),
        # A device of that very name wins over the family.
        ("H200-141GB", "H200-141GB"),
        ("A100-80GB-SXM:1g.10gb", "A100-80GB-SXM:1g.10gb"),
        ("Abacus 9000", None),
    ],
)
def test_devices_of_measurements(catalog: Catalog, text: str, expected: str | None) -> None:
    assert canonical_device(catalog, text) == expected
