"""The README and the pages of `docs` are true: every command that they show with its output prints just that.

In a `console` block, a line that begins with `$ ` is a command and the lines up to the next one are its output; a line
`[...]` stands for lines left out. What a check took may differ, and nothing else.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from paddock.cli.arguments import Parser, build_parser
from paddock.cli.main import main
from paddock.cli.reference import options_page
from paddock.options import settings

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {page.name: page.read_text(encoding="utf-8") for page in PAGES}


def sessions() -> list[tuple[str, str, str]]:
    """Each page with each command and the output that the page gives it."""
    found = []
    for page, text in TEXTS.items():
        for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((page, command, output))
    return found


def without_effort(text: str) -> str:
    return re.sub(r"^(entry \w+, engine \w+), .* s$", r"\1", text, flags=re.MULTILINE)


def pattern(output: str) -> str:
    """A regular expression for what a page shows."""
    return re.escape(without_effort(output)).replace(re.escape("[...]\n"), r"(?:.*\n)*?")


def printed(command: str, folder: Path) -> str:
    """What a command prints. What needs no shell runs in this process."""
    program, *arguments = shlex.split(command)
    if program == "paddock" and not re.search(r"[|<>;&$*]", command):
        out = StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            main(arguments)
        return out.getvalue()
    script = folder / "paddock"  # the one under test
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m paddock "$@"\n')
    script.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", f"{{ {command}; }} 2>&1"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=600,
    )
    return done.stdout


@pytest.mark.parametrize(("page", "command", "output"), sessions(), ids=lambda s: s.partition("\n")[0][:60])
def test_the_tour(page: str, command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = printed(command, tmp_path)
    assert re.fullmatch(pattern(output), without_effort(found)), found


def test_there_is_a_tour() -> None:
    assert "README.md" in {page for page, _, _ in sessions()}


def test_the_reference_of_options_is_up_to_date() -> None:
    """Else: `python -m paddock.cli.reference docs/options.md`."""
    assert TEXTS["options.md"] == options_page()


def flags_of(*parsers: Parser) -> set[str]:
    return {flag for parser in parsers for flag in parser._option_string_actions if flag.startswith("--")}


def test_the_reference_has_every_flag_and_every_key() -> None:
    _, commands = build_parser()
    flags = {f for f in flags_of(*commands.values()) if not f.startswith("--no-")} - {"--help"}
    assert {"--engine", "--strongest"} < flags
    assert not [flag for flag in sorted(flags) if f"`{flag}" not in TEXTS["options.md"]]
    assert not [s.key for s in settings().values() if s.about.tuned and f"| `{s.key}` |" not in TEXTS["options.md"]]


@pytest.mark.parametrize(
    "code", [c for t in TEXTS.values() for c in re.findall(r"^```python\n(.*?)^```$", t, re.M | re.S)]
)
def test_python_code_runs(code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(code, "<docs>", "exec"), {})
    assert capsys.readouterr().out


def own_words(page: str) -> str:
    """A page without what it says of other programs: the first columns of the tables for those who come from these."""
    text = TEXTS[page]
    return re.sub(r"^\|(?:[^|\\]|\\.)*\|", "|", text, flags=re.MULTILINE) if page.startswith("from-") else text


@pytest.mark.parametrize("page", TEXTS)
def test_no_page_names_an_option_that_does_not_exist(page: str) -> None:
    _, commands = build_parser()
    shown = set(re.findall(r"`(--[a-z-]+)", own_words(page)))
    assert shown <= flags_of(*commands.values()) | {"--version", "--slow", "--update"}


@pytest.mark.parametrize("page", TEXTS)
def test_no_page_tunes_what_does_not_exist(page: str) -> None:
    keys = {setting.key for setting in settings().values() if setting.about.tuned}
    assert not set(re.findall(r"--tune ([a-z][a-z-]*)", TEXTS[page])) - keys


@pytest.mark.parametrize("page", [page for page in TEXTS if page.startswith("from-")])
def test_what_is_said_to_be_missing_is_not_there(page: str) -> None:
    _, commands = build_parser()
    known = flags_of(commands["check"])
    rows = re.findall(r"^\| (.*) \| — \|", TEXTS[page], re.MULTILINE)
    assert rows
    assert not known & {flag for row in rows for flag in re.findall(r"`(--[a-z-]+)", row)}


@pytest.mark.parametrize("page", [page for page in PAGES if ">>> " in TEXTS[page.name]], ids=lambda page: page.name)
def test_examples_in_python_give_what_the_page_shows(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0
