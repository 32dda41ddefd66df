"""Order, ties and the rows to show, on made-up values small enough to order by hand."""

from __future__ import annotations

import pytest

from gpuadvisor.advice.ranking import Entry, choose, rank

# name, value, device
ROWS = (("a", 1.00, "T4"), ("b", 1.10, "L4"), ("c", 1.25, "T4"), ("d", 2.00, "A10G"))


def entries(*names: str) -> list[Entry]:
    return [Entry(value, name, device, name) for name, value, device in ROWS if name in names]


def by_name(ranked: list) -> list[tuple[str, int, int]]:
    return [(row.item, row.rank, row.tie_group) for row in ranked]


@pytest.mark.parametrize(
    ("tie_ratio", "expected"),
    [
        # Nothing ties: the order of the values.
        (1.0, [("a", 1, 1), ("b", 2, 2), ("c", 3, 3), ("d", 4, 4)]),
        # 1.00 reaches to 1.20: a and b tie and b is preferred; c leads the next group alone.
        (1.2, [("b", 1, 1), ("a", 2, 1), ("c", 3, 2), ("d", 4, 3)]),
        # 1.00 reaches to 1.30: a, b and c tie.
        (1.3, [("b", 1, 1), ("a", 2, 1), ("c", 3, 1), ("d", 4, 2)]),
        # All tie; without a preference the value decides.
        (2.0, [("b", 1, 1), ("a", 2, 1), ("c", 3, 1), ("d", 4, 1)]),
    ],
)
def test_groups_reach_from_their_leader(
    tie_ratio: float, expected: list[tuple[str, int, int]]
) -> None:
    ranked = rank(entries("d", "c", "b", "a"), tie_ratio, lambda name: (name != "b",))
    assert by_name(ranked) == expected


def test_one_device_never_ties() -> None:
    ranked = rank(entries("a", "c"), 1.5, lambda name: (name != "c",))
    assert by_name(ranked) == [("a", 1, 1), ("c", 2, 2)]


def test_nothing_ranks_as_nothing() -> None:
    assert rank([], 1.2, lambda _: ()) == []


def test_three_devices_are_shown_where_there_are_three() -> None:
    rows = [Entry(float(n), f"t{n}", "T4", ("T4", n)) for n in range(1, 6)]
    rows += [Entry(7.0, "l", "L4", ("L4", 7)), Entry(8.0, "a", "A10G", ("A10G", 8))]
    ranked = rank(rows, 1.0, lambda _: ())
    shown = choose(ranked, 4, lambda item: item[0], lambda item: item)
    assert [row.item for row in shown] == [("T4", 1), ("T4", 2), ("L4", 7), ("A10G", 8)]


def test_twins_only_fill_up_a_short_list() -> None:
    rows = [Entry(1.0, "t1", "T4", ("T4", 1)), Entry(2.0, "t2", "T4", ("T4", 2)),
            Entry(3.0, "l1", "L4", ("L4", 1))]  # fmt: skip
    ranked = rank(rows, 1.0, lambda _: ())

    def shown(top: int) -> list[object]:
        return [row.item for row in choose(ranked, top, lambda item: item[0], lambda item: item[0])]

    assert shown(2) == [("T4", 1), ("L4", 1)]
    assert shown(3) == [("T4", 1), ("T4", 2), ("L4", 1)]
