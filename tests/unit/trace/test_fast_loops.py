"""Compiled loops: they do what the interpreter does step by step, much faster."""

from __future__ import annotations

from random import Random

import pytest

import paddock
from paddock.ir.program import Program
from paddock.trace import fast_loops
from paddock.trace.forced import forced_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Cut, Failed, Kind, Returned, Run
from paddock.trace.states import States

WORK = 100_000_000

FUNCTIONS = """
function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvsub"} sub(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvmul"} mul(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvneg"} neg(a: bv8) returns (bv8);
function {:bvbuiltin "bvnot"} inv(a: bv8) returns (bv8);
function {:bvbuiltin "bvudiv"} div_(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvashr"} ashr(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvult"} ult(a: bv8, b: bv8) returns (bool);
function {:bvbuiltin "bvslt"} slt(a: bv8, b: bv8) returns (bool);
function {:bvbuiltin "bvsle"} sle(a: bv8, b: bv8) returns (bool);
"""


def program(text: str) -> Program:
    return paddock.load(text)


def ran(source: Program, *, work: int = WORK, record: bool = False, steps: int = 60_000) -> Run:
    return forced_run(source, Limits(steps, compiled=work), record=record)


# --- random loops ----------------------------------------------------------------------------------


class Loops:
    """Writes random programs of one loop, perhaps around another, that leave little open."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def term(self, depth: int) -> str:
        choose = self._random.choice
        if depth == 0:
            return choose(("x", "y", "z", "g", f"{self._random.randrange(256)}bv8", "m[x]", "a[0bv8]"))
        one, other = self.term(depth - 1), self.term(depth - 1)
        kinds = ("add", "sub", "mul", "div_", "ashr")
        return choose(
            (f"{choose(kinds)}({one}, {other})", f"neg({one})", f"inv({one})", f"(if b then {one} else {other})")
        )

    def condition(self) -> str:
        choose = self._random.choice
        one, other = self.term(1), self.term(1)
        return choose((f"{choose(('ult', 'slt', 'sle'))}({one}, {other})", f"{one} == {other}", "b", "!b", "n < k"))

    def statement(self, depth: int) -> str:
        match self._random.randrange(9 if depth else 7):
            case 0 | 1 | 2:
                return f"{self._random.choice('xyzg')} := {self.term(2)};"
            case 3:
                return f"{self._random.choice('ma')}[{self.term(1)}] := {self.term(1)};"
            case 4:
                return self._random.choice(
                    (f"b := {self.condition()};", "x, y := y, x;", f"k := k + {self._random.randrange(3)};")
                )
            case 5:
                return self._random.choice(
                    (f"call z := f({self.term(1)});", f"havoc z; z := {self.term(0).replace('z', 'x')};")
                )
            case 6:
                return f"assert {self.condition()} || {self.condition()} || n < {self._random.randrange(200)};"
            case _:
                then, otherwise = self.statements(depth - 1), self.statements(depth - 1)
                return f"if ({self.condition()}) {{ {then} }} else {{ {otherwise} }}"

    def statements(self, depth: int) -> str:
        return " ".join(self.statement(depth) for _ in range(self._random.randrange(1, 4)))

    def text(self) -> str:
        most = self._random.randrange(1, 400)
        checked = self._random.choice(("true", "p != 77bv8"))
        inner = f"while (k < n) {{ k := k + 1; {self.statement(0)} }}" if self._random.randrange(4) == 0 else ""
        return (
            FUNCTIONS
            + f"""
var g: bv8; var m: [bv8]bv8;
procedure f(p: bv8) returns (r: bv8) modifies g;
{{ if (ult(p, 100bv8)) {{ r := add(p, g); }} else {{ g := p; r := 1bv8; }} assert {checked}; }}
procedure {{:entrypoint}} main() modifies g, m;
{{
  var x, y, z: bv8; var a: [bv8]bv8; var b: bool; var n, k: int;
  x := 0bv8; y := 1bv8; z := 2bv8; g := 3bv8; m := (lambda i: bv8 :: 5bv8); b := false; n := 0; k := 0; a[0bv8] := 9bv8;
  while (n < {most}) {{ n := n + 1; {self.statements(2)} {inner} }}
  assert x != {self._random.randrange(4)}bv8;
}}
"""
        )


@pytest.mark.parametrize("seeds", [range(n, n + 8) for n in (0, 8, 16)])
def test_a_compiled_loop_does_what_the_interpreter_does(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_loops, "_AFTER", 2)
    monkeypatch.setattr(fast_loops, "_AFTER_RECORDED", 2)
    monkeypatch.setattr(fast_loops, "_WORTH", 1)
    compiled = 0
    for seed in seeds:
        source = program(Loops(seed).text())
        slow, fast, recorded = ran(source, work=0), ran(source), ran(source, record=True)
        if isinstance(slow.outcome, Cut):
            continue
        for run in (fast, recorded):
            assert run.outcome == slow.outcome, seed
            assert run.globals == slow.globals, seed
        compiled += fast.length < slow.length / 2
        states = States(recorded, source)
        for step in recorded.steps:
            states.advance(step)
        assert all(states.globals[name] == value for name, value in recorded.globals.items() if name in states.globals)
    assert compiled > 1  # it is not the interpreter that is compared with itself


# --- what is seen of them --------------------------------------------------------------------------

MILLION = """
procedure {:entrypoint} main()
{
  var i, s: int;
  i := 0; s := 0;
  while (i < 1000000) { i := i + 1; if (i > 500000) { s := s + 1; } }
  assert s != 500000;
}
"""


def test_a_million_iterations_are_run_and_the_last_are_recorded() -> None:
    run = ran(program(MILLION), record=True, steps=2_000)
    assert isinstance(run.outcome, Failed)
    (many,) = [step for step in run.steps if step.kind is Kind.ITERATIONS]
    assert many.iterations > 999_900
    assert many.values == {"i": 999_997, "s": 499_997}
    assert len(run.steps) < 100


def test_the_work_is_limited() -> None:
    assert ran(program(MILLION), work=100_000, steps=2_000).outcome == Cut("steps")


def test_what_is_left_open_is_not_guessed() -> None:
    text = """
    procedure {:entrypoint} main()
    {
      var i, s: int; var a: [int]int;
      i := 0;
      while (i < 5000) { a[i] := i; i := i + 1; if (i == 4000) { s := a[READ]; } }
      assert true;
    }
    """
    assert isinstance(ran(program(text.replace("READ", "100")), steps=3_000).outcome, Returned)
    assert "may have any value" in str(ran(program(text.replace("a[READ]", "s + 1")), steps=3_000).outcome)
    assert "has no value" in str(ran(program(text.replace("READ", "4500")), steps=3_000).outcome)
