from __future__ import annotations

from collections.abc import Sequence

import pytest

from paddock.ir.expr import Var
from paddock.ir.origin import InputError
from paddock.ir.program import Clause, VarDecl
from paddock.ir.stmt import Assert, Assume
from paddock.trace.interpreter import Interpreter, Limits
from paddock.trace.oracle import RandomOracle, ScriptedOracle, Why
from paddock.trace.run import Blocked, Cut, Failed, Kind, Returned, Run, Undetermined
from paddock.trace.values import Value, map_of
from paddock.trace.world import World
from tests.unit.trace.boogie_text import program_of


class Answers:
    """Gives each variable the value listed for it (0 or false otherwise) and always goes to the first target;
    remembers what it was asked."""

    def __init__(self, **values: Value | list[Value]) -> None:
        self.given = {n: list(v) if isinstance(v, list) else [v] for n, v in values.items()}
        self.asked: list[tuple[str, str, Why]] = []
        self.chosen: list[tuple[str, str]] = []

    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> str:
        self.chosen.append((procedure, label))
        return targets[0]

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        self.asked.append((procedure, var.name, why))
        queue = self.given.get(var.name, [0])
        return queue.pop(0) if len(queue) > 1 else queue[0]


def run(text: str, limits: Limits | None = None, /, entry: str | None = None, **values: Value | list[Value]) -> Run:
    return Interpreter(program_of(text)).run(Answers(**values), entry, limits, guided=True)


# --- how runs end ----------------------------------------------------------------------------------


def test_returns() -> None:
    result = run("var g: int; procedure main() modifies g; { g := 1; g := g + 1; }")
    assert result.outcome == Returned()
    assert result.globals == {"g": 2}


def test_fails_at_the_assertion() -> None:
    outcome = run("procedure main(x: int) {\n  assert x != 3;\n}", x=3).outcome
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.what, Assert)
    assert (outcome.procedure, outcome.origin.line) == ("main", 2)
    assert run("procedure main(x: int) { assert x != 3; }", x=2).outcome == Returned()


def test_blocks_at_the_assumption() -> None:
    outcome = run("procedure main(x: int) { assume x == 3; assert false; }", x=2).outcome
    assert isinstance(outcome, Blocked)
    assert isinstance(outcome.what, Assume)


def test_is_cut_off() -> None:
    endless = "procedure main() { while (true) { } }"
    assert run(endless, Limits(steps=100)).outcome == Cut("steps")
    recursive = "procedure main() { call main(); }"
    assert run(recursive, Limits(depth=50)).outcome == Cut("depth")
    assert run(recursive, Limits(recursion=3)).outcome == Cut("recursion")


def test_a_recursion_bound_counts_activations() -> None:
    text = "procedure main() {{ call f(2); }} procedure {} f(n: int) {{ if (n > 0) {{ call f(n - 1); }} }}"
    assert run(text.format(""), Limits(recursion=3)).outcome == Returned()
    assert run(text.format(""), Limits(recursion=2)).outcome == Cut("recursion")
    assert run(text.format("{:SIextraRecBound 1}"), Limits(recursion=2)).outcome == Returned()


def test_calls_that_have_returned_do_not_count() -> None:
    text = "procedure main() { call f(); call f(); } procedure f() { }"
    assert run(text, Limits(recursion=1)).outcome == Returned()


@pytest.mark.parametrize("statement", ["async call f();", "par f() | f();", "yield;"])
def test_concurrent_programs_are_undetermined(statement: str) -> None:
    outcome = run("procedure main() { " + statement + " } procedure f() { }").outcome
    assert isinstance(outcome, Undetermined)
    assert "concurrent" in outcome.reason


def test_undecided_conditions_are_undetermined() -> None:
    outcome = run("procedure main() {\n assert (forall i: int :: i + 1 > i);\n}").outcome
    assert isinstance(outcome, Undetermined)
    assert outcome.origin.line == 2


def test_the_entry_procedure() -> None:
    text = "procedure main() { } procedure {:entrypoint} start() { assert false; }"
    assert isinstance(run(text).outcome, Failed)
    assert run(text, entry="main").outcome == Returned()
    with pytest.raises(InputError):
        run(text, entry="nowhere")


# --- statements ------------------------------------------------------------------------------------


def test_assignments_are_parallel() -> None:
    text = "procedure main(a: int, b: int) { var x, y: int; x, y := a, b; x, y := y, x; assert x == b && y == a; }"
    assert run(text, a=1, b=2).outcome == Returned()


def test_a_local_may_shadow_a_global() -> None:
    text = """
    var x: int;
    procedure set() modifies x; { x := 7; }
    procedure main(y: int) modifies x; { var x: int; x := y; call set(); assert x == 1; }"""
    assert run(text, y=1).outcome == Returned()
    assert run(text, y=1).globals == {"x": 7}


def test_havoc_assumes_the_where_clause() -> None:
    text = "procedure main() { var x: int where x > 0; havoc x; assert x != 5; }"
    assert isinstance(run(text, x=[1, 5]).outcome, Failed)
    outcome = run(text, x=[1, 0]).outcome
    assert isinstance(outcome, Blocked)
    assert isinstance(outcome.what, VarDecl)


def test_where_clauses_of_globals_hold_at_the_start_and_after_havoc() -> None:
    text = "var g: int where g > 0; procedure main() modifies g; { g := -1; assert g < 0; havoc g; assert g > 0; }"
    assert isinstance(run(text, g=0).outcome, Blocked)
    assert run(text, g=1).outcome == Returned()
    assert isinstance(run(text, g=[1, -4]).outcome, Blocked)


def test_old_in_a_body_means_the_procedures_entry() -> None:
    text = """
    var g: int;
    procedure inc() modifies g; { g := g + 1; assert g == old(g) + 1; }
    procedure main() modifies g; { g := 5; call inc(); call inc(); assert old(g) == 0 && g == 7; }"""
    assert run(text).outcome == Returned()


def test_a_lambda_kept_in_a_variable() -> None:
    text = """
    procedure main() {
      var f: [int]int;
      var k: int;
      k := 1;
      f := (lambda x: int :: x + k);
      k := 50;
      assert f[1] == 2;
    }"""
    assert run(text).outcome == Returned()


def test_loops_and_branches() -> None:
    text = """
    procedure main() {
      var i, sum: int;
      i, sum := 0, 0;
      while (i < 10) invariant sum >= 0; { i := i + 1; if (i mod 2 == 0) { sum := sum + i; } }
      assert sum == 30;
    }"""
    assert run(text).outcome == Returned()


def test_a_goto_without_a_way_out_blocks() -> None:
    text = "procedure main(x: int) { goto a, b; a: assume x == 1; return; b: assume x == 2; return; }"
    assert run(text, x=2).outcome == Returned()
    assert isinstance(run(text, x=3).outcome, Blocked)


# --- calls and contracts ---------------------------------------------------------------------------

CONTRACTS = """
procedure f(x: int) returns (r: int);
  {free_requires} requires x > 0;
  {free_ensures} ensures r > x;
implementation f(x: int) returns (r: int) {{ r := x + {offset}; }}
procedure main(a: int) {{ var y: int; {call} call y := f(a); assert y == a + {offset}; }}
"""


def contracts(free_requires: str = "", free_ensures: str = "", offset: int = 1, call: str = "") -> str:
    return CONTRACTS.format(free_requires=free_requires, free_ensures=free_ensures, offset=offset, call=call)


def test_contracts_that_hold() -> None:
    assert run(contracts(), a=1).outcome == Returned()


def test_requires_are_asserted_at_the_call() -> None:
    result = run(contracts(), a=0)
    assert isinstance(result.outcome, Failed)
    assert isinstance(result.outcome.what, Clause)
    assert result.outcome.procedure == "main"
    assert result.steps[-1].kind is Kind.FAIL
    assert result.steps[-1].values == {"x": 0}
    assert isinstance(run(contracts(free_requires="free"), a=0).outcome, Blocked)
    assert isinstance(run(contracts(call="free"), a=0).outcome, Blocked)


def test_ensures_are_asserted_at_the_exit() -> None:
    outcome = run(contracts(offset=0), a=1).outcome
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.what, Clause)
    assert outcome.procedure == "f"
    assert isinstance(run(contracts(free_ensures="free", offset=0), a=1).outcome, Blocked)


def test_the_entrys_own_requires_are_assumed_and_its_ensures_asserted() -> None:
    text = "var g: int; procedure main(x: int) requires x > 0; modifies g; ensures g > old(g) + 1; { g := g + x; }"
    assert isinstance(run(text, x=0).outcome, Blocked)
    assert isinstance(run(text, x=1).outcome, Failed)
    assert run(text, x=2).outcome == Returned()


NO_BODY = """
var g: int where g >= 0;
var h: int;
procedure f(x: int) returns (r: int where r != 7); requires x > 0; modifies g; ensures g > old(g); ensures r == x;
procedure main(a: int) modifies g; { var y: int; call y := f(a); assert y == a && g != 9; assert h == 0; }
"""


def test_a_procedure_without_a_body() -> None:
    assert run(NO_BODY, a=1, r=1, g=[2, 5]).outcome == Returned()
    assert isinstance(run(NO_BODY, a=0).outcome, Failed)
    assert isinstance(run(NO_BODY, a=1, r=2, g=[2, 5]).outcome, Blocked)
    assert isinstance(run(NO_BODY, a=1, r=1, g=[2, 2]).outcome, Blocked)
    assert isinstance(run(NO_BODY, a=1, r=1, g=[-1, 5]).outcome, Blocked)
    assert isinstance(run(NO_BODY, a=7, r=7, g=[2, 5]).outcome, Blocked)
    assert isinstance(run(NO_BODY, a=1, r=1, g=[2, 9]).outcome, Failed)


def test_a_procedure_without_a_body_can_be_the_entry() -> None:
    text = "var g: int; procedure main(x: int) returns (r: int); modifies g; ensures r == x;"
    interpreter = Interpreter(program_of(text))
    assert interpreter.run(Answers(x=1, r=1), "main").outcome == Returned()
    assert isinstance(interpreter.run(Answers(x=1, r=2), "main").outcome, Blocked)


def test_where_clauses_of_parameters_results_and_locals_are_assumed_on_entry() -> None:
    text = """
    procedure f(x: int where x > 0) returns (r: int where r > 0) { var l: int where l > r; }
    procedure main(a: int) { var y: int; call y := f(a); assert y > 0; }"""
    assert run(text, a=1, r=1, l=2).outcome == Returned()
    assert isinstance(run(text, a=0, r=1, l=2).outcome, Blocked)
    assert isinstance(run(text, a=1, r=0, l=2).outcome, Blocked)
    assert isinstance(run(text, a=1, r=2, l=2).outcome, Blocked)


def test_one_of_several_implementations_is_chosen() -> None:
    text = """
    procedure f() returns (r: int);
    implementation f() returns (r: int) { r := 1; }
    implementation f() returns (r: int) { r := 2; }
    procedure main() { var y: int; call y := f(); assert y == 1; }"""
    interpreter = Interpreter(program_of(text))
    assert interpreter.run(ScriptedOracle(["0"], [0, 0])).outcome == Returned()
    assert isinstance(interpreter.run(ScriptedOracle(["1"], [0, 0])).outcome, Failed)


def test_results_may_be_globals() -> None:
    text = """
    var g: int;
    procedure f() returns (r: int) { r := 4; }
    procedure main() modifies g; { call g := f(); assert g == 4; }"""
    assert run(text).outcome == Returned()


def test_recursion_in_the_program_is_not_recursion_here() -> None:
    text = """
    procedure f(n: int) returns (r: int) { if (n == 0) { r := 0; } else { call r := f(n - 1); r := r + 1; } }
    procedure main() { var y: int; call y := f(5000); assert y == 5000; }"""
    assert run(text).outcome == Returned()


# --- what is asked and recorded --------------------------------------------------------------------

QUESTIONS = """
var g: int;
procedure f(x: int) returns (r: int) { var l: int; havoc l; r := x; }
procedure ext() returns (r: int); modifies g;
procedure main(p: int) modifies g; { var l: int; call l := f(p); call l := ext(); }
"""


def test_everything_arbitrary_is_asked_for_in_order() -> None:
    oracle = Answers()
    Interpreter(program_of(QUESTIONS)).run(oracle)
    assert oracle.asked == [
        ("main", "g", Why.INITIAL),
        ("main", "p", Why.PARAMETER),
        ("main", "l", Why.UNINITIALISED),
        ("f", "r", Why.UNINITIALISED),
        ("f", "l", Why.UNINITIALISED),
        ("f", "l", Why.HAVOC),
        ("ext", "g", Why.NO_BODY),
        ("ext", "r", Why.NO_BODY),
    ]


def test_a_lazy_run_asks_only_for_what_is_read() -> None:
    oracle = Answers()
    Interpreter(program_of(QUESTIONS)).run(oracle, lazy=True)
    assert oracle.asked == [("main", "p", Why.PARAMETER)]


def test_a_lazy_value_stays_the_same_in_old_states_and_copies() -> None:
    text = """
    var g: int;
    procedure ext() returns (r: int);
    procedure main() modifies g; {
      var a, b: int;
      call a := ext(); b := a; assert a == b;
      assert g == old(g); g := g + 1; assert g == old(g) + 1;
    }"""
    oracle = RandomOracle(World(program_of(text)).domains, 1, largest=10**6)
    assert Interpreter(program_of(text)).run(oracle, lazy=True).outcome == Returned()


def test_a_guided_run_does_not_ask_where_there_is_one_way() -> None:
    text = "procedure main(x: int) { if (x == 1) { assert true; } if (*) { assert true; } }"
    oracle = Answers(x=2)
    assert Interpreter(program_of(text)).run(oracle, guided=True).outcome == Returned()
    assert len(oracle.chosen) == 1
    unguided = Answers(x=2)
    assert isinstance(Interpreter(program_of(text)).run(unguided).outcome, Blocked)


def test_steps() -> None:
    text = """
    var g: int;
    procedure f(x: int) returns (r: int) { r := x + g; }
    procedure main() modifies g; {
      var y: int;
      g := 2;
      call y := f(3);
      goto a, b;
      a: assert y == g;
      b: return;
    }"""
    result = run(text)
    shown = [(s.kind.value, s.procedure, s.depth, s.target, s.values) for s in result.steps]
    assert shown == [
        ("statement", "main", 0, "", {"g": 2}),
        ("call", "main", 0, "f", {"x": 3}),
        ("statement", "f", 1, "", {"r": 5}),
        ("return", "f", 1, "", {"r": 5}),
        ("branch", "main", 0, "a", {}),
        ("fail", "main", 0, "", {"g": 2, "y": 5}),
    ]
    assert result.steps[-1].statement is not None
    assert result.steps[-1].statement.origin.line == 9
    assert Interpreter(program_of(text)).run(Answers(), record=False).steps == ()


def test_steps_of_a_procedure_without_a_body() -> None:
    steps = run(NO_BODY, a=1, r=1, g=[2, 5]).steps
    assert [(s.kind.value, s.procedure, s.depth) for s in steps[:2]] == [("call", "main", 0), ("return", "f", 1)]
    assert steps[1].values == {"g": 5, "r": 1}


def test_axioms_that_are_false_in_the_world() -> None:
    program = program_of(
        """
        const c: int;
        function f(int): int;
        axiom c > 3;
        axiom (forall i: int :: f(i) > 0);
        axiom (forall i: int :: f(i) == f(i));
        """
    )
    assert Interpreter(program).check_axioms() == list(program.axioms[:2])
    world = World(program, constants={"c": 4}, functions={"f": map_of(1, {})})
    assert Interpreter(program, world).check_axioms() == []
