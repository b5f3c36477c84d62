"""The README is true: every command that it shows with its output prints just that.

In a `console` block, a line that begins with `$ ` is a command and the lines up to the next one are its output; a line
`[...]` stands for lines left out. What a check took may differ, and nothing else.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from paddock.cli.arguments import build_parser
from paddock.cli.main import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def sessions() -> list[tuple[str, str]]:
    """Each command with the output that the README gives it."""
    found = []
    for block in BLOCKS:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def without_effort(text: str) -> str:
    return re.sub(r"^(entry \w+, engine \w+), .* s$", r"\1", text, flags=re.MULTILINE)


def pattern(output: str) -> str:
    """A regular expression for what the README shows."""
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
        ["bash", "-c", f"{command} 2>&1"], env=environment, stdout=subprocess.PIPE, text=True, check=False, timeout=600
    )
    return done.stdout


@pytest.mark.parametrize(("command", "output"), sessions(), ids=lambda s: s.partition("\n")[0][:60])
def test_the_tour(command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = printed(command, tmp_path)
    assert re.fullmatch(pattern(output), without_effort(found)), found


def test_there_is_a_tour() -> None:
    assert sessions()


def test_every_option_of_check_is_in_the_readme() -> None:
    _, commands = build_parser()
    flags = re.findall(r"(?<!\S)--[a-z-]+", commands["check"].format_help())
    assert "--engine" in flags
    assert not [f for f in flags if f != "--help" and f not in README and f.replace("--no-", "--") not in README]


def test_the_readme_names_no_option_that_does_not_exist() -> None:
    _, commands = build_parser()
    known = " ".join(parser.format_help() for parser in commands.values()) + " --version --help --slow --update"
    shown = set(re.findall(r"`(--[a-z-]+)", README))
    assert shown
    assert not [f for f in sorted(shown) if f not in known]
