"""A run as a person reads it."""

from __future__ import annotations

from fractions import Fraction

import pytest

import paddock
from paddock.frontends.boogie.narrate import narrate
from paddock.ir.origin import Origin
from paddock.report.counterexample import Counterexample, TraceStep
from paddock.trace.interpreter import Interpreter
from paddock.trace.oracle import ScriptedOracle
from paddock.trace.values import MapValue, Value


def narrated(text: str, choices: list[str], values: list[Value]) -> Counterexample:
    lines = text.splitlines()

    def source_line(origin: Origin) -> str:
        return lines[origin.line - 1] if origin.line else ""

    program = paddock.load(text)
    return narrate(Interpreter(program).run(ScriptedOracle(choices, values)), program, source_line)


def steps_of(text: str, choices: list[str], values: list[Value]) -> tuple[TraceStep, ...]:
    return narrated(text, choices, values).steps


def summary(steps: tuple[TraceStep, ...]) -> list[tuple[str, int, int, str, dict[str, str]]]:
    return [(s.kind, s.line, s.depth, s.text, s.texts) for s in steps]


def test_a_run_through_calls_and_branches() -> None:
    text = """\
var g: bv8;
procedure Double(x: int) returns (y: int)
{
  y := x + x;
}
procedure main(n: int)
  modifies g;
{
  var r: int;
  if (n > 2) {
    call r := Double(n);
  }
  g := 7bv8;
  assert r < 100;
  assert {:msg "r is small"} r < 5;
}
"""
    # the values are those of g, n, r and y
    steps = steps_of(text, ["anon1_Then"], [0, 3, 0, 0])
    assert summary(steps) == [
        ("branch", 10, 0, "n > 2", {"n": "3"}),
        ("call", 11, 0, "call r := Double(n);", {"x": "3"}),
        ("statement", 4, 1, "y := x + x;", {"y": "6"}),
        ("return", 5, 1, "Double returns", {"y": "6"}),
        ("statement", 13, 0, "g := 7bv8;", {"g": "7bv8"}),
        ("fail", 15, 0, "assertion fails: r is small", {"r": "6"}),
    ]
    assert steps[1].source == "call r := Double(n);"
    assert [s.procedure for s in steps] == ["main", "main", "Double", "Double", "main", "main"]


def test_a_jump_that_nothing_explains_is_shown() -> None:
    text = """\
procedure main()
{
  goto A, B;
  A: assume true; assert false;
  B: return;
}
"""
    assert summary(steps_of(text, ["A"], [])) == [
        ("branch", 3, 0, "goto A", {}),
        ("statement", 4, 0, "assume true;", {}),
        ("fail", 4, 0, "assertion fails: false", {}),
    ]
    # A run that ends well ends in the return of the entry.
    assert summary(steps_of(text, ["B"], [])) == [
        ("branch", 3, 0, "goto B", {}),
        ("return", 5, 0, "main returns", {}),
    ]


def test_a_procedure_without_a_body_returns_where_it_is_called() -> None:
    text = """\
procedure External(x: int) returns (y: int);
procedure main()
{
  var y: bool;
  var r: int;
  call r := External(4);
  assert r == 4;
}
"""
    assert summary(steps_of(text, [], [False, 0, 5])) == [
        ("call", 6, 0, "call r := External(4);", {"x": "4"}),
        ("return", 6, 1, "External returns", {"y": "5"}),
        ("fail", 7, 0, "assertion fails: r == 4", {"r": "5"}),
    ]


@pytest.mark.parametrize(
    ("x", "line", "message", "values"),
    [
        (0, 8, "precondition of P fails: x > 0", {"x": "0"}),
        (1, 5, "postcondition of P fails: y > x", {"x": "1", "y": "1"}),
    ],
)
def test_a_contract_that_fails(x: int, line: int, message: str, values: dict[str, str]) -> None:
    text = """\
procedure P(x: int) returns (y: int)
  requires x > 0;
  ensures y > x;
{
  y := 1; return;
}
procedure main(x: int) {
  var y: bool; var z: int; call z := P(x);
}
"""
    last = summary(steps_of(text, [], [x, False, 0, 0]))[-1]
    assert last[:2] == ("fail", line)
    assert last[3:] == (message, values)


def test_a_loop_invariant_that_fails() -> None:
    text = "procedure main(n: int) { while (n > 0) invariant n > 5; { } }"
    assert steps_of(text, [], [5])[-1].text == "loop invariant fails: n > 5"


def test_a_line_that_holds_a_whole_procedure_is_not_shown() -> None:
    filler = "assume true; " * 50
    *_, step = steps_of(f"procedure main(x: int) {{ {filler} assert x > 0; }}", [], [0])
    assert (step.text, step.source) == ("assertion fails: x > 0", "")


def test_values_have_types_and_are_known_before_they_change() -> None:
    text = """\
procedure main(b: bool, v: bv8, s: string, r: real, m: [int]int) {
  var x: int;
  x := 1;
  x := x + 1;
  havoc x;
  assert b || v == 1bv8 || s == "" || r == 0.0 || m[0] == x;
}
"""
    steps = steps_of(text, [], [False, 255, "a", Fraction(1, 2), MapValue(0), 7, 5])
    assert [(s.texts, {n: v.text for n, v in s.before.items()}) for s in steps[:3]] == [
        ({"x": "1"}, {}),
        ({"x": "2"}, {"x": "1"}),
        ({"x": "5"}, {"x": "2"}),
    ]
    assert {name: (value.type, value.data) for name, value in steps[-1].values.items()} == {
        "b": ("bool", False),
        "v": ("bv8", 255),
        "s": ("string", "a"),
        "r": ("real", None),
        "m": ("[int]int", None),
        "x": ("int", 5),
    }


def test_a_number_that_is_too_long_for_other_programs_is_text_only() -> None:
    (value,) = steps_of("procedure main(x: int) { assert x < 1; }", [], [1 << 64])[-1].values.values()
    assert (value.text, value.data) == (str(1 << 64), None)


def test_the_call_stack_and_the_choices() -> None:
    text = """\
var g: int;
procedure External(x: int) returns (y: int);
  modifies g;
procedure Inner(a: int) {
  var l: int;
  goto A, B;
  A: havoc g; assume l > 0; assert a < 0;
  B: return;
}
procedure main(n: int) modifies g; {
  var r: int;
  call r := External(n);
  call Inner(r);
}
"""
    # g, n, r; g and y of External; l; g again
    found = narrated(text, ["A"], [1, 2, 0, 3, 4, 5, 6])
    assert [(a.procedure, a.line, a.caller) for a in found.activations] == [
        ("main", 0, None),
        ("External", 12, 0),
        ("Inner", 13, 0),
    ]
    assert [[a.procedure for a in found.stack(step)] for step in found.steps] == [
        ["main"],
        ["main", "External"],
        ["main"],
        *[["main", "Inner"]] * 4,
    ]
    assert [(c.kind, c.name, c.value.text, c.line, c.step) for c in found.choices] == [
        ("initial", "g", "1", 0, 0),
        ("initial", "n", "2", 0, 0),
        ("result", "g", "3", 12, 1),
        ("result", "y", "4", 12, 1),
        ("jump", "goto", "A", 6, 3),
        ("havoc", "g", "6", 7, 4),
        ("uninitialised", "l", "5", 7, 5),
    ]
