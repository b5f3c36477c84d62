"""What the values of globals in each context prove of a random program holds in all its states."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock.analysis.facts.partitioned import cannot_return
from paddock.engines.inlining.search import Question, statement_plan
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.program import Program
from paddock.ir.types import BOOL, Map, Type
from paddock.passes.registry import run_passes
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Failed
from paddock.trace.values import Value, map_of
from tests.property.examples import examples
from tests.property.finite_programs import TooManyStates, failing, finite_program, finite_text

MOST_STATES = 20_000


def stated(text: str) -> Program:
    loaded = load([Source(text)])
    original = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations"])
    prepared = run_passes(original, ["check-specs", "extract-loops", "prune"])
    return statement_plan(original, Question(facts=False))(prepared)


def small(type_: Type) -> list[Value]:
    if isinstance(type_, Map):
        return [map_of(0, {}, 1), map_of(1, {(0,): 0}, 1)]
    return [False, True] if type_ is BOOL else [0, 1]


class MemoryProgram:
    """A random program that passes addresses, and asserts at its end what was stored there last, or something else."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        names = ("main", "p", "q")[: self.chance.randint(1, 3)]
        self.text = "var g: int; var m: [int]int;\nprocedure other() returns (n: [int]int) { n := m; n[0] := 2; }\n"
        for k, name in enumerate(names):
            params, results = ("", "") if name == "main" else ("a: int", "r: int")
            readable = ["x", "y"] if name == "main" else ["x", "y", "a", "r"]
            starts = "x := 0; y := 1; m[y] := 2; m[x] := 1;" if name == "main" else "x := a; y := a; r := 0;"
            ends = self._asserted() if name == "main" else ""
            body = " ".join(self._statement(readable, names[k + 1 :]) for _ in range(self.chance.randint(1, 4)))
            self.text += f"procedure {name}({params}) returns ({results}) modifies g, m;\n"
            self.text += f"{{ var x, y: int; {starts} {body} {ends} }}\n"

    def _asserted(self) -> str:
        return f"assert {self.chance.choice(('m[x]', 'm[y]', 'm[x]', 'x', 'g'))} == {self.chance.randint(0, 2)};"

    def _statement(self, readable: list[str], callees: tuple[str, ...]) -> str:
        choice = self.chance.choice
        target = choice([name for name in readable if name != "a"])
        index, value = choice(readable), choice([*readable, "0", "1", "2", "g"])
        calls = [f"call {target} := {callee}({index});" for callee in callees] * 3
        rare = choice(
            (
                f"{target}, m := {index}, m[{index} := {value}];",
                "call m := other();",
                f"havoc {target};",
                f"if (*) {{ m[{index}] := {value}; }} else {{ {target} := {index}; }}",
            )
        )
        common = (f"m[{index}] := {value};", f"{target} := m[{index}];", f"{target} := {value};", f"g := m[{index}];")
        return choice([*common, rare, *calls])


def check_memory(seed: int) -> bool:
    """Whether a program is proved; then nothing may fail in any run."""
    text = MemoryProgram(seed).text
    if not is_proved(stated(text)):
        return False
    loaded = load([Source(text)])
    runs = islice(every_run(with_entry(loaded, "main"), None, small, Limits(steps=500)), 300)
    assert not any(isinstance(run.outcome, Failed) for run in runs), text
    return True


def is_proved(program: Program) -> bool:
    """Whether any choice of globals proves it: all, those that get few values, or none."""
    every = tuple(g.var for g in program.globals)
    return any(cannot_return(program, MOST_STATES, chosen) for chosen in (every, every[:1], None, ()))


def check_seed(seed: int) -> bool:
    """Whether a program is proved; then nothing may fail."""
    program = finite_program(Random(seed))
    if not is_proved(stated(finite_text(program))):
        return False
    with suppress(TooManyStates):
        assert not failing(program)
    return True


@examples(25, 1500)
@given(seed=st.integers(0, 1 << 32))
def test_what_is_proved_holds_in_all_states(seed: int) -> None:
    check_seed(seed)


@examples(25, 1500)
@given(seed=st.integers(0, 1 << 32))
def test_what_is_known_of_memory_holds_in_all_runs(seed: int) -> None:
    check_memory(seed)


def test_some_programs_are_proved() -> None:
    assert sum(map(check_seed, range(40))) >= 3
    assert sum(map(check_memory, range(140, 170))) >= 3


@pytest.mark.slow
def test_what_is_proved_holds_in_many_programs() -> None:
    assert sum(map(check_seed, range(100, 3100))) >= 100
    assert sum(map(check_memory, range(100, 3100))) >= 100
