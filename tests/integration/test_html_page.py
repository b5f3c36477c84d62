"""The page of `--format html`: what is in it, and how it behaves in a browser (Debian's chromium, if it is there)."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paddock.cli.main import main
from paddock.report.registry import rendered
from paddock.report.result import Result, Verdict
from tests.integration import chromium

PHONE = {"width": 390, "height": 844}
EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = """
// </script><script>window.hacked = 1</script> <img src=x onerror="window.hacked = 1">
procedure main(x: int) {
  var `y`: string;
  assert {:id "<script>window.hacked=1</script>"} x > 0;
}
"""


def page_of(*arguments: str, to: Path) -> Path:
    main(["check", *arguments, "--format", "html", "--output", str(to)])
    return to


def data_in(page: Path) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def many_assertions(folder: Path, count: int = 100) -> Path:
    file = folder / "many.bpl"
    lines = "".join(f"  assert x + {n} > x;\n" for n in range(1, count + 1))
    file.write_text(f"procedure main(x: int) {{\n{lines}}}\n")
    return file


def long_program(folder: Path, lines: int = 20_000) -> Path:
    file = folder / "long.bpl"
    comments = "".join(f"// line {n}\n" for n in range(1, lines))
    file.write_text(comments + "procedure main(x: int) { assert x != 77; }\n")
    return file


def test_one_file_that_asks_the_network_for_nothing(tmp_path: Path) -> None:
    text = page_of(str(EXAMPLES / "lock_bug.bpl"), to=tmp_path / "a.html").read_text(encoding="utf-8")
    assert "default-src &#x27;none&#x27;" in text
    assert not re.search(r"https?://|<link|src=", text)
    assert text.count("<script") == 2 and "{{" not in text


def test_what_a_program_says_is_data(tmp_path: Path) -> None:
    file = tmp_path / "a.bpl"
    file.write_text(HOSTILE.replace("`y`", "y"))
    page = page_of(str(file), to=tmp_path / "a.html")
    text = page.read_text(encoding="utf-8")
    assert text.count("<script") == 2 and "<img" not in text
    data = data_in(page)
    assert any("onerror" in line for line in data["files"][0]["lines"])
    assert data["runs"][0]["id"] == "<script>window.hacked=1</script>"


def test_what_to_try_next(tmp_path: Path) -> None:
    (tmp_path / "a.bpl").write_text(
        "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 2; } assert i != 101; }"
    )
    data = data_in(page_of(str(tmp_path / "a.bpl"), "--recursion-bound", "3", to=tmp_path / "a.html"))
    assert data["next"][0] == "--recursion-bound 6 looks deeper"
    unknown = Result((), "main", "assertion", Verdict.UNKNOWN, "dag", reason="time limit while searching", time_s=10.0)
    assert "--timeout 20 gives it more time" in rendered("check", "html", unknown)


def test_a_file_that_has_changed_is_said_to_have(tmp_path: Path) -> None:
    file, result = tmp_path / "a.bpl", tmp_path / "result.json"
    file.write_text("procedure main(x: int) { assert x != 77; }\n")
    main(["check", str(file), "--format", "json", "--output", str(result)])
    for text, changed in (("procedure main(x: int) { assert x != 77; }\n", False), ("// another\n", True)):
        file.write_text(text)
        main(["report", str(result), "--format", "html", "-o", str(tmp_path / "a.html")])
        assert data_in(tmp_path / "a.html")["files"][0]["changed"] is changed
    file.unlink()
    main(["report", str(result), "--format", "html", "-o", str(tmp_path / "a.html")])
    assert data_in(tmp_path / "a.html")["files"][0]["lines"] == ["procedure main(x: int) { assert x != 77; }"]


def test_only_programs_are_shown(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("password")
    result = Result((str(secret),), "main", "assertion", Verdict.PROVED, "dag")
    assert "password" not in rendered("check", "html", result)


# In a browser


STALE = """\
var g: int;
procedure Set() modifies g; { g := 7; }
procedure main(x: int) modifies g; {
  var y: int;
  g := 1;
  call Set();
  y := x;
  assert y != 5;
}
"""


@pytest.mark.skipif(chromium.FOUND is None, reason="there is no browser: install chromium")
def test_a_page_in_a_browser(tmp_path: Path) -> None:
    """Loading, stepping by keys, values, filtering and searching."""
    (tmp_path / "a.bpl").write_text(STALE)
    with chromium.browser(tmp_path / "profile") as page:
        page.open(page_of(str(tmp_path / "a.bpl"), to=tmp_path / "a.html"))
        assert page.text("#where").startswith("5 of 5")
        page.press("k")
        assert page.text("#where").startswith("4 of 5")
        # The call has changed g, which this step does not look at.
        assert [row.split() for row in page.text("#values tbody").splitlines()] == [
            ["y", "5", "int"],
            ["g", "1", "int", "step", "1,", "before", "a", "call", "or", "switch"],
        ]
        page.press("Home")
        assert "0 → 1" in page.text("#values tbody") and page.text(".row.now").endswith("g := 1;")
        page.value(
            "(e => { e.value = 'no such'; e.dispatchEvent(new Event('input')); })(document.querySelector('#filter'))"
        )
        assert page.text("#shown") == "0 of 1"
        page.press("/")
        assert page.value("document.activeElement.type") == "search"
        assert page.complaints == []


@pytest.fixture
def browse(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page in a browser, and fails if the page complains."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the extra `browser` (playwright) is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no browser: install chromium")
    complaints: list[str] = []
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        def opened(page: Path, **context: Any) -> Any:
            tab = browser.new_context(**context).new_page()
            tab.on("console", lambda message: complaints.append(message.text))
            tab.on("pageerror", lambda error: complaints.append(str(error)))
            tab.goto(page.as_uri())
            return tab

        yield opened
        browser.close()
    assert complaints == []


def is_in_view(tab: Any, row: str) -> bool:
    """Whether a line is in the part of the source that can be seen."""
    inside: bool = tab.evaluate(
        """(row) => {
          const at = document.querySelector(row).getBoundingClientRect();
          const view = document.getElementById("view").getBoundingClientRect();
          return at.top >= view.top && at.bottom <= view.bottom;
        }""",
        row,
    )
    return inside


@pytest.mark.slow
def test_stepping_filtering_and_searching(browse: Callable[..., Any], tmp_path: Path) -> None:
    tab = browse(page_of(str(EXAMPLES / "lock_bug.bpl"), to=tmp_path / "a.html"))
    assert tab.inner_text("#where").startswith("14 of 14")
    assert tab.inner_text(".row.now").split("\n")[-1].strip().endswith("assert !locked;")
    tab.keyboard.press("k")
    assert tab.inner_text("#where").startswith("13 of 14")
    tab.keyboard.press("Home")
    assert tab.inner_text("#where").startswith("1 of 14")
    tab.click("#go-step")
    assert tab.inner_text("#where").startswith("2 of 14")
    tab.click("ol.steps li:nth-child(5) button")
    assert "40:5" in tab.inner_text("#where")
    tab.keyboard.press("o")  # over the call of Serve
    assert "41:5" in tab.inner_text("#where")
    tab.keyboard.press("End")
    assert tab.locator("#stack li").all_inner_texts()[-1].startswith("main")
    tab.keyboard.press("/")
    tab.keyboard.type("release")
    assert tab.inner_text("#found").startswith("1 of ")
    tab.fill("#filter", "Acquire")
    assert tab.inner_text("#shown") == "1 of 2"
    tab.fill("#filter", "")
    tab.uncheck("input[value=unknown]")
    assert tab.inner_text("#shown") == "1 of 2"


@pytest.mark.slow
def test_pictures_can_be_zoomed(browse: Callable[..., Any], tmp_path: Path) -> None:
    tab = browse(page_of(str(EXAMPLES / "lock_bug.bpl"), to=tmp_path / "a.html"))
    svg = "#picture-0 svg"
    assert tab.locator(f"{svg} g.node").count() >= 4 and tab.locator("#picture-1 svg path").count() == 4
    before = [float(n) for n in tab.get_attribute(svg, "viewBox").split()]
    tab.click("#picture-0 button[title=larger]")
    after = [float(n) for n in tab.get_attribute(svg, "viewBox").split()]
    assert after[2] < before[2] and after[3] < before[3]
    tab.focus(svg)
    tab.keyboard.press("ArrowRight")
    assert float(tab.get_attribute(svg, "viewBox").split()[0]) > after[0]
    tab.click("#picture-0 button[title='the whole picture']")
    tab.click(f"{svg} g.node:has-text('Acquire')")
    assert tab.inner_text(".row.now").split("\n")[-1] == "procedure Acquire()"
    assert "looked at 12 of 13 lines" in tab.inner_text("#coverage")
    assert tab.locator(".row.unexplored").count() == 1


@pytest.mark.slow
def test_threads_are_shown(browse: Callable[..., Any], tmp_path: Path) -> None:
    tab = browse(page_of(str(EXAMPLES / "concurrent" / "lost_update_bug.bpl"), to=tmp_path / "a.html"), viewport=PHONE)
    assert tab.locator("#threads li").count() > 1
    assert is_in_view(tab, ".row.now")


@pytest.mark.slow
def test_hostile_names_do_nothing(browse: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "a.bpl"
    file.write_text(HOSTILE.replace("`y`", "y"))
    tab = browse(page_of(str(file), to=tmp_path / "a.html"))
    assert tab.evaluate("window.hacked") is None
    assert "<script>window.hacked=1</script>" in tab.inner_text("#assertions")
    assert "onerror" in tab.inner_text("#view")


@pytest.mark.slow
def test_a_long_file(browse: Callable[..., Any], tmp_path: Path) -> None:
    tab = browse(page_of(str(long_program(tmp_path)), to=tmp_path / "a.html"))
    assert tab.locator(".row").count() == 20_000
    assert is_in_view(tab, ".row.now")
    tab.fill("#source input", "line 12345")
    assert tab.inner_text("#found") == "1 of 1"
    assert is_in_view(tab, ".row.found")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1300])
def test_accessible(browse: Callable[..., Any], tmp_path: Path, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe_core_python is not installed").Axe()
    size = {"width": width, "height": 844}
    pages = [
        page_of(str(EXAMPLES / "lock_bug.bpl"), to=tmp_path / "a.html"),
        page_of(str(many_assertions(tmp_path)), "--all-assertions", to=tmp_path / "b.html"),
    ]
    for page in pages:
        tab = browse(page, color_scheme=scheme, viewport=size, bypass_csp=True)
        found = axe.run(tab)["violations"]
        assert [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in found] == []
        # Nothing is wider than the screen but what scrolls by itself.
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
