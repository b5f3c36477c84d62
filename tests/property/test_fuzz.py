"""Nothing that a user can write makes the front end fail but with a message that says where.

Valid programs are edited at random: tokens are dropped, doubled, swapped, replaced, junk goes in, the end is cut.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from paddock.boogie import load
from paddock.boogie.source import Source
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.printer import program_text

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted([*ROOT.glob("examples/*.bpl"), *ROOT.glob("tests/golden/language/*.bpl")])
TOKEN = re.compile(r"\s+|//[^\n]*|[\w.#$'~^?`\\]+|[-=<>:+&|!]+|.", re.DOTALL)
JUNK = [
    "@",
    "\0",
    '"',
    "/*",
    "*/",
    "{",
    "}",
    "(",
    "[",
    "::",
    ":=",
    "==>",
    "9bv2",
    "0x",
    "1e",
    "é",
    "\u2200",
    "\ud7ff",
    "bv",
    "|{",
]


def edited(text: str, chance: random.Random) -> str:
    """The text with a few of its tokens changed."""
    tokens = TOKEN.findall(text)
    for _ in range(chance.randint(1, 4)):
        at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        match chance.randrange(6):
            case 0:
                tokens[at] = ""
            case 1:
                tokens[at] = tokens[at] + " " + tokens[at]
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = tokens[other]
            case 4:
                tokens[at] = chance.choice(JUNK)
            case 5:
                del tokens[at + 1 :]
        tokens = tokens or [""]
    return "".join(tokens)


def check_edits(seed: int, count: int) -> None:
    chance = random.Random(seed)
    texts = [p.read_text(encoding="utf-8") for p in PROGRAMS]
    refused = 0
    for _ in range(count):
        text = edited(chance.choice(texts), chance)
        diagnostics: Sequence[Diagnostic] = ()
        try:
            program = load([Source(text, "edited.bpl")])
        except InputError as error:
            diagnostics = error.diagnostics
            refused += 1
        else:
            assert load([Source(program_text(program), "printed.bpl")]) == program
        assert all(d.message and d.origin.line >= 1 for d in diagnostics if "more errors" not in d.message)
    # Most edits spoil a program; if none does, nothing has been tried.
    assert refused > count // 4


@pytest.mark.parametrize("seed", range(4))
def test_random_edits(seed: int) -> None:
    check_edits(seed, 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_many_random_edits(seed: int) -> None:
    check_edits(seed, 1000)
