from __future__ import annotations

import pytest

from paddock.ir.program import local_var
from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Map, Named
from paddock.trace.domains import Domains
from paddock.trace.interpreter import Interpreter
from paddock.trace.oracle import RandomOracle, RecordingOracle, ScriptedOracle, Why
from paddock.trace.render import render
from paddock.trace.run import Undetermined
from paddock.trace.values import Undecided
from tests.unit.trace.boogie_text import program_of

PROGRAM = program_of(
    """
    type T;
    datatype List { Nil(), Cons(head: int, tail: List) }
    var g: [int]List;
    procedure f(n: int) returns (r: T);
    procedure main(x: bv8, y: real) modifies g; {
      var i: int;
      var t: T;
      while (*) { havoc i; g[i] := Cons(i, g[i + 1]); call t := f(i); if (*) { break; } }
      assert !(g[0] is Cons && g[0]->tail is Cons);
    }
    """
)


def test_a_recorded_run_can_be_repeated() -> None:
    interpreter = Interpreter(PROGRAM)
    outcomes = set()
    for seed in range(30):
        recording = RecordingOracle(RandomOracle(interpreter.world.domains, seed))
        first = interpreter.run(recording)
        assert interpreter.run(ScriptedOracle(recording.choices, recording.values)) == first
        outcomes.add(type(first.outcome).__name__)
    assert outcomes == {"Returned", "Failed"}


def test_the_same_seed_gives_the_same_run() -> None:
    interpreter = Interpreter(PROGRAM)
    domains = interpreter.world.domains
    assert interpreter.run(RandomOracle(domains, 5)) == interpreter.run(RandomOracle(domains, 5))


def test_a_script_that_ends_too_early() -> None:
    outcome = Interpreter(PROGRAM).run(ScriptedOracle([], [])).outcome
    assert isinstance(outcome, Undetermined)
    assert "no value left for g" in outcome.reason
    with pytest.raises(Undecided, match="no choice left"):
        ScriptedOracle([], []).choose("main", "a", ["b", "c"])
    with pytest.raises(Undecided, match="no target"):
        ScriptedOracle(["d"], []).choose("main", "a", ["b", "c"])


def test_random_values_are_of_every_type() -> None:
    domains = Domains(PROGRAM)
    oracle = RandomOracle(domains, 1)
    types = [BOOL, INT, REAL, RMODE, STRING, Bv(8), Float(24, 8), Named("T", ()), Named("List", ())]
    for type_ in [*types, Map((INT, BOOL), Named("List", ())), Map((BOOL,), Map((INT,), REAL))]:
        shown = {render(oracle.value("main", local_var("x", type_), Why.HAVOC), type_) for _ in range(40)}
        assert len(shown) > 1
