"""Nothing that a user can write makes the front end fail but with a message that says where.

Valid programs, written and generated, are edited at random: tokens are dropped, doubled, swapped, replaced by others of
the program or of the same kind, junk goes in, the end is cut. What is still a program must print and read back.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.printer import program_text
from paddock.ir.validate import check_valid
from tests.property.executable_programs import random_executable
from tests.property.programs import random_program

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted([*ROOT.glob("examples/*.bpl"), *ROOT.glob("tests/golden/*/*.bpl")])
TOKEN = re.compile(r"\s+|//[^\n]*|[\w.#$'~^?`\\]+|[-=<>:+&|!*]+|.", re.DOTALL)
JUNK = (
    '@ \0 " /* */ { } ( [ ] :: := ==> 9bv2 0x 1e é \u2200 \ud7ff bv |{ {: }| <: uses -1 99999999999 bv99999999999'
).split(" ")
# Tokens that may stand for each other without spoiling the syntax.
KINDS = [
    "== != < <= > >=".split(),
    "&& || ==> <==> <==".split(),
    "+ - * div mod / ** ++".split(),
    "int bool real bv8 bv0 T float24e8 rmode string".split(),
    "0 1 2 4 8 1.5 1e3 0bv8 255bv8 true false RNE".split(),
    "forall exists lambda".split(),
    "assert assume".split(),
    "requires ensures".split(),
    "procedure implementation".split(),
]
NAME = re.compile(r"(?!\d)[\w.#$'~^?`]+$")
KEYWORDS = frozenset(
    "axiom break call const datatype else function goto havoc if invariant is modifies old return returns then type var"
    " where while unique free async par yield".split()
)


def edited(text: str, chance: random.Random) -> str:
    """The text with a few of its tokens changed."""
    tokens = TOKEN.findall(text) or [" "]
    gently = chance.random() < 0.6
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(tokens))
        if gently:
            _replace_gently(tokens, at, chance)
        else:
            _spoil(tokens, at, chance)
        tokens = tokens or [""]
    return "".join(tokens)


def _spoil(tokens: list[str], at: int, chance: random.Random) -> None:
    other = chance.randrange(len(tokens))
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


def _replace_gently(tokens: list[str], at: int, chance: random.Random) -> None:
    """Replace the next token that can be replaced by another of its kind: most such edits pass the parser."""
    for index in range(at, len(tokens)):
        token = tokens[index]
        kind = next((k for k in KINDS if token in k), None)
        if kind is None and NAME.match(token) and token not in KEYWORDS:
            kind = [t for t in tokens if NAME.match(t) and t not in KEYWORDS]
        if kind is not None:
            tokens[index] = chance.choice(kind)
            return


def check_edits(seed: int, count: int) -> None:
    chance = random.Random(seed)
    texts = [p.read_text(encoding="utf-8") for p in PROGRAMS]
    refused = 0
    for n in range(count):
        if n % 20 == 0:
            texts += [random_program(chance), random_executable(chance)]
        text = edited(chance.choice(texts), chance)
        diagnostics: Sequence[Diagnostic] = ()
        try:
            program = load([Source(text, "edited.bpl")])
        except InputError as error:
            diagnostics = error.diagnostics
            refused += 1
        else:
            check_valid(program)
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
