"""What the tests of passes share: programs are written as Boogie text, before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.ir.stmt import Statement
from paddock.ir.validate import check_valid

Transformation = Callable[[Program], Program]


def program(text: str) -> Program:
    return load([Source(text, "test.bpl")])


def transformed(transformation: Transformation, text: str) -> Program:
    """The program of `text` after the pass: valid, and unharmed by being printed and read back."""
    before = program(text)
    check_valid(before)
    after = transformation(before)
    check_valid(after)
    assert program(program_text(after)) == after
    return after


def check_becomes(transformation: Transformation, before: str, after: str) -> Program:
    """The pass turns the one text into the other, order of declarations and blocks included."""
    result = transformed(transformation, before)
    assert program_text(result) == program_text(program(after))
    return result


def statements(program: Program, procedure: str) -> Iterator[Statement]:
    for implementation in program.procedure_named[procedure].implementations:
        for block in implementation.blocks:
            yield from block.statements
