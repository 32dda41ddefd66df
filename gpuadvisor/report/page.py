"""A page: an answer laid out once, before it becomes HTML, a workbook or Markdown.

A builder (`report/<command>_page.py`) makes a `Page` of finished texts (rendered messages) and
typed figures; the renderers (`page_html`, `page_xlsx`, `page_markdown`) escape for their target and
lay out. Nothing here knows a format: a figure keeps its type, so that a sheet can calculate with it
and a page can print it. Money is Decimal, in the currency that stands beside it; a share is 0-1.
"""

from decimal import Decimal
from typing import NamedTuple

# -- formulas --------------------------------------------------------------------------------


class InputRef(NamedTuple):
    """The value of the page's `Input` of that name."""

    name: str


class CellRef(NamedTuple):
    """A cell by its column's key; `row` counts the rows of the table from 0.

    `row` None is the formula's own row, `table` None its own table. `part` picks `low`,
    `expected` or `high` of a `MoneyRange`.
    """

    column: str
    row: int | None = None
    table: str | None = None
    part: str = "expected"


class Formula(NamedTuple):
    """`kind` over `parts`, in order: `product`, `sum`, `difference` (first less the rest),
    `quotient` (first by second), or `round` (first to as many decimals as the second says).

    A sheet calculates it; every other format shows the value of the cell that carries it, which
    must be equal (to half a coin where it was rounded).
    """

    kind: str
    parts: "tuple[Formula | InputRef | CellRef | Decimal, ...]"


# -- figures ---------------------------------------------------------------------------------


class Text(NamedTuple):
    """Words. `strong` marks what the row is about; `detail` is a smaller line under it."""

    text: str
    strong: bool = False
    detail: str = ""


class Money(NamedTuple):
    """An amount. `decimals` None: the coins of the currency; a unit price names its own.

    `editable` marks a figure that a reader of the sheet is meant to change.
    """

    amount: Decimal
    currency: str
    formula: Formula | None = None
    decimals: int | None = None
    editable: bool = False


class MoneyRange(NamedTuple):
    """Low, expected and high; one cell to read, three to calculate with."""

    low: Money
    expected: Money
    high: Money


class Number(NamedTuple):
    """A count or measure with its unit (may be empty). `decimals` None: as many as it needs."""

    value: Decimal | float | int
    unit: str = ""
    formula: Formula | None = None
    decimals: int | None = None
    editable: bool = False


class Percent(NamedTuple):
    """A share from 0 to 1, or a change from -1 on, shown in per cent."""

    share: Decimal | float
    formula: Formula | None = None
    decimals: int = 0
    editable: bool = False


class Date(NamedTuple):
    """A day as `YYYY-MM-DD`."""

    iso: str


class Unknown(NamedTuple):
    """A figure that is not known or does not apply, and why; never 0. Without `why` a dash."""

    why: str = ""


Figure = Money | Number | Percent | Date | Text
Cell = Money | MoneyRange | Number | Percent | Date | Text | Unknown


class Input(NamedTuple):
    """A figure that formulas are made over, named for them: lower case, at least four letters.

    A sheet shows it once, editable, with its label; a page shows it among the facts only when the
    builder puts it there too.
    """

    name: str
    label: str
    value: Money | Number | Percent


# -- blocks ----------------------------------------------------------------------------------

PLAIN, CHOSEN, TOTAL, MUTED = "plain", "chosen", "total", "muted"
"""Roles of a row: the option that the answer is about, a sum, one that does not count."""


class Column(NamedTuple):
    """`key` names it for formulas. `figures` sets it to the right; `ranged` holds `MoneyRange`
    cells (a sheet gives them three columns). The first column heads its rows. Renderers add to the
    header the currency that all money beneath it has."""

    key: str
    header: str
    figures: bool = False
    ranged: bool = False


class Row(NamedTuple):
    """As many cells as the table has columns; `note` is a small line under all of them."""

    cells: tuple[Cell, ...]
    role: str = PLAIN
    note: str = ""


class Table(NamedTuple):
    """`id` is unique in the page (`[a-z_]+`); `sheet` is its short name in a workbook."""

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    sheet: str = ""


class Paragraph(NamedTuple):
    """Running text; `role` is `plain`, `note` (small) or `warning`."""

    text: str
    role: str = "plain"


class Items(NamedTuple):
    """A list of short texts."""

    items: tuple[str, ...]
    ordered: bool = False


class Command(NamedTuple):
    """A command line, to be copied."""

    text: str


class Card(NamedTuple):
    """One of a few choices side by side: `label` (Good), `name` (2 x g5.xlarge), what it costs,
    and short lines of what it does. `marked` is the one that is advised."""

    label: str
    name: str
    price: Money | Unknown
    per: str
    lines: tuple[str, ...]
    marked: bool = False


class Cards(NamedTuple):
    """Two to four choices."""

    cards: tuple[Card, ...]


class Bar(NamedTuple):
    """A bar to `expected` with a whisker from `low` to `high`; `marked` is the answer's own."""

    label: str
    low: float
    expected: float
    high: float
    marked: bool = False


class BarChart(NamedTuple):
    """Bars below each other on one axis that begins at 0 (changes may go below it).

    `title` names what is drawn, `description` says in a sentence what it shows, for those who do
    not see it. `unit` stands on the axis: `USD/month`.
    """

    title: str
    description: str
    unit: str
    bars: tuple[Bar, ...]


class Series(NamedTuple):
    """A line through points (x, y), x ascending. `band` is (x, low, high) around it."""

    name: str
    points: tuple[tuple[float, float], ...]
    marked: bool = False
    band: tuple[tuple[float, float, float], ...] = ()


class Mark(NamedTuple):
    """A point worth naming, such as a break-even."""

    x: float
    y: float
    label: str


class LineChart(NamedTuple):
    """Lines over x, both axes from 0, with marked points."""

    title: str
    description: str
    x_unit: str
    y_unit: str
    series: tuple[Series, ...]
    marks: tuple[Mark, ...] = ()


class Layer(NamedTuple):
    """What one way of serving takes in each step; layers are stacked."""

    name: str
    values: tuple[float, ...]


class Level(NamedTuple):
    """A horizontal line: what is committed, a limit."""

    value: float
    label: str


class StepChart(NamedTuple):
    """A stepped demand: one value a step (an hour of a day), stacked layers, levels across.

    `first` is the number of the first step on the axis.
    """

    title: str
    description: str
    x_unit: str
    y_unit: str
    layers: tuple[Layer, ...]
    levels: tuple[Level, ...] = ()
    first: int = 0


Chart = BarChart | LineChart | StepChart
Block = Paragraph | Items | Command | Table | Cards | BarChart | LineChart | StepChart


class Section(NamedTuple):
    """A heading with what belongs under it; `id` is unique in the page (`[a-z_]+`)."""

    id: str
    heading: str
    blocks: tuple[Block, ...]


# -- the page --------------------------------------------------------------------------------


class Fact(NamedTuple):
    """A line of the header: what holds for all of the page."""

    label: str
    value: Figure


class Source(NamedTuple):
    """Where figures come from: `name` as the tables cite it, its title, address and dates."""

    name: str
    title: str
    address: str
    as_of: str
    confidence: str


class CatalogVersion(NamedTuple):
    """A catalog that was read: `aws 2026.10`, whose newest price is of `as_of`."""

    name: str
    version: str
    as_of: str


class Page(NamedTuple):
    """All of a document, in the order in which it is read.

    `lead` is the answer as one sentence. `today` is the date it was made for: it stands in the
    document's properties, so that the same answer makes the same bytes. `warnings` stand above
    the sections; assumptions, sources and catalogs close the page under headings of their own
    (only those that have lines). `language` is `en` or `zh-Hans`.
    """

    title: str
    lead: str
    today: str
    sections: tuple[Section, ...]
    facts: tuple[Fact, ...] = ()
    warnings: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    catalogs: tuple[CatalogVersion, ...] = ()
    inputs: tuple[Input, ...] = ()
    footer: tuple[str, ...] = ()
    language: str = "en"
