"""Pages in headless Chromium: silence, accessibility (axe-core), phones, paper."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from gpuadvisor.report.page_html import html
from tests.report.browser import CHROMIUM, SITE, chromium, dumped, frames, pdf_pages, site
from tests.report.pages import COMMANDS, page_of

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
SCRIPT = """
<pre id="result"></pre>
<script>
const phone = 390, wide = 1280, found = {};
const rest = () => new Promise(done => setTimeout(done, 50));
function overlaps(page) {
  const faults = [];
  for (const svg of page.querySelectorAll("svg")) {
    const box = svg.getBoundingClientRect();
    if (!box.width) continue;
    const texts = [...svg.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
    texts.forEach(([text, a], n) => {
      if (a.left < box.left - 1 || a.right > box.right + 1 || a.bottom > box.bottom + 1)
        faults.push("outside: " + text);
      for (const [other, b] of texts.slice(n + 1))
        if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
          faults.push(text + " on " + other);
    });
  }
  return faults;
}
addEventListener("load", async () => {
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, at = {};
    const name = frame.getAttribute("src");
    const results = await frame.contentWindow.axe.run();
    at.violations = results.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200))]);
    at.passed = results.passes.map(v => v.id);
    for (const width of [wide, phone]) {
      frame.width = width;
      await rest();
      at["overflow" + width] = page.documentElement.scrollWidth - width;
      at["labels" + width] = overlaps(page);
    }
    found[name] = at;
  }
  document.getElementById("result").textContent = JSON.stringify(found);
});
</script>
"""
SOME = ("estimate-en", "recommend-zh", "reserve-zh", "own-en", "check-en")
OTHERS = tuple(
    f"{name}-{language}"
    for name in COMMANDS
    for language in ("en", "zh")
    if f"{name}-{language}" not in SOME
)
either = pytest.mark.parametrize(
    "names", [SOME, pytest.param(OTHERS, marks=pytest.mark.slow)], ids=["some", "others"]
)


def made(names: Sequence[str]) -> dict[str, str]:
    """Pages by path."""
    return {f"/{name}": html(page_of(*name.rsplit("-", 1))) for name in names}


def axe() -> str:
    """The script of axe-core that a package of it carries."""
    found = importlib.util.find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("needs axe-core-python")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


@either
def test_no_message_and_no_request(names: Sequence[str]) -> None:
    pages = made(names)
    with site({**pages, "/": frames(list(pages))}) as seen:
        _, messages = chromium(seen, f"{SITE}/", "--dump-dom")
    assert messages == []
    assert sorted(seen.requests) == sorted(SITE + path for path in ["/", *pages])


def test_a_script_would_be_refused() -> None:
    """That the test above can fail: the policy stops what a page should not hold."""
    foreign = "<script>console.log(1)</script><img src='http://other.test/a.png' alt=''></body>"
    page = made(["own-en"])["/own-en"].replace("</body>", foreign)
    with site({"/": page}) as seen:
        _, messages = chromium(seen, f"{SITE}/", "--dump-dom")
    assert len(messages) == 2
    assert all("Content Security Policy" in message for message in messages)
    assert seen.requests == [f"{SITE}/"]


def with_axe(text: str) -> str:
    """A page that may run the script of axe-core."""
    return POLICY.sub("", text).replace("</head>", '<script src="/axe.js"></script></head>')


@either
def test_accessible_and_fit_for_a_phone(names: Sequence[str]) -> None:
    pages = {path: with_axe(text) for path, text in made(names).items()}
    # A page that is at fault shows that faults are found.
    pages["/fault"] = with_axe("<html><head></head><body><main>text</main></body></html>")
    with site({**pages, "/axe.js": axe(), "/": frames(list(pages)) + SCRIPT}) as seen:
        found = dumped(seen, f"{SITE}/")
    assert sorted(found) == sorted(pages)
    fault = {name for name, _ in found.pop("/fault")["violations"]}
    assert {"html-has-lang", "document-title"} <= fault
    for path, result in found.items():
        assert result["violations"] == [], path
        assert {"color-contrast", "document-title", "html-has-lang"} <= set(result["passed"])
        for width in (1280, 390):
            assert result[f"overflow{width}"] <= 0, (path, width)
            assert result[f"labels{width}"] == [], (path, width)


@pytest.mark.parametrize("name", ["estimate", pytest.param("reserve", marks=pytest.mark.slow)])
def test_prints_on_two_sheets(name: str) -> None:
    with site({"/": html(page_of(name))}) as seen:
        assert 1 <= pdf_pages(seen, f"{SITE}/") <= 2
