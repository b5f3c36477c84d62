"""Loading texts in tests, and stating where errors are expected: a `«` stands before the place of each."""

from __future__ import annotations

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.expr import Expr
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.ir.stmt import Assert
from paddock.ir.validate import check_valid


def loaded(text: str) -> Program:
    """The program, which is valid and prints and reads back to itself."""
    program = check_valid(load([Source(text, "test.bpl")]))
    assert load([Source(program_text(program))]) == program
    return program


def errors(text: str) -> tuple[Diagnostic, ...]:
    try:
        load([Source(text, "test.bpl")])
    except InputError as error:
        return error.diagnostics
    return ()


def check_errors(marked: str, *messages: str) -> None:
    """The text has exactly these errors, at its marks; a message may go on with `; ` and the hint."""
    text, expected = "", []
    for n, piece in enumerate(marked.split("«")):
        if n:
            expected.append((text.count("\n") + 1, len(text) - text.rfind("\n")))
        text += piece
    found = errors(text)
    assert [(d.origin.line, d.origin.column) for d in found] == expected, "\n".join(map(str, found))
    assert [f"{d.message}; {d.hint}" if d.hint else d.message for d in found] == list(messages)


def expression(text: str, declarations: str = "") -> Expr:
    """What an asserted expression denotes among variables of several types."""
    program = loaded(
        f"""{declarations}
        var g, h: int;
        procedure main(a: bool, b: bool, x: int, y: int, r: real, v: bv8, m: [int]int, n: [int,bool]int, s: string)
        {{
          assert {text};
        }}"""
    )
    body = program.procedure_named["main"].body
    assert body is not None
    statement = body.blocks[0].statements[0]
    assert isinstance(statement, Assert)
    return statement.condition
