"""Short ways from Boogie text to what the tests of this room look at."""

from __future__ import annotations

from paddock.frontends.boogie import Source, load
from paddock.ir.program import Program
from paddock.trace.defaults import default_world
from paddock.trace.evaluate import Evaluator
from paddock.trace.values import Env, Value


def program_of(text: str) -> Program:
    return load([Source(text, "test.bpl")])


def value_of(expr: str, type_: str, declarations: str = "", fuel: int = 10_000) -> Value:
    """The value of a closed expression in a world of defaults, but for what simple axioms say."""
    program = program_of(f"{declarations}\nfunction probe(): {type_} {{ {expr} }}")
    body = program.function_named["probe"].body
    assert body is not None
    return Evaluator(default_world(program), fuel).evaluate(body, Env())
