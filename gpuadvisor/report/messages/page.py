"""Texts of the pages: HTML, workbook and Markdown documents."""

from __future__ import annotations

EN: dict[str, str] = {
    "page.no_extra": (
        "this format needs libraries that are not installed ({library}):"
        " pip install 'gpuadvisor[{extra}]'"
    ),
    "page.range": "{low} to {high}",
    "page.comma": ", ",
    "page.inputs": "Figures to change",
    "page.sheet_summary": "Summary",
    "page.sheet_sources": "Sources",
    "page.column_low": "{name}, low",
    "page.column_high": "{name}, high",
    "page.column_notes": "Notes",
    "page.warnings": "Please note",
    "page.assumptions": "Assumptions",
    "page.sources": "Sources",
    "page.catalogs": "Price catalogs:",
    "page.catalog": "{name} {version} (to {as_of})",
}
