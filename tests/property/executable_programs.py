"""Random small programs as text that an interpreter can run: what engines are compared on with brute force.

All numbers, also those in the map `m`, lie between 0 and 3, whatever is arbitrary is assumed to, and every run ends:
loops count up to 3, and a call passes on less fuel `n` unless it goes to a procedure further down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from paddock.ir.types import BOOL, Map, Type
from paddock.trace.values import MapValue, Value


@dataclass(frozen=True)
class Shape:
    """What a program may consist of; `fails` is the share of assertions that are not true by construction."""

    procedures: int = 3
    statements: int = 3
    fails: float = 0.5
    loops: bool = True
    recursive: bool = True
    contracts: bool = True
    fuel: int = 2

    @property
    def bounds(self) -> dict[str, int]:
        """Options with which no run is cut off. A procedure is active once for each amount of fuel, and a loop that
        calls it may be in its third iteration in each of these activations. There is no `unwind`, with which loops with
        a constant number of iterations would be like others."""
        return {"recursion_bound": MOST_ITERATIONS * (self.fuel + 1) + 1}


MOST_ITERATIONS = 3
ORDINARY = Shape()

HEADER = """\
var g, k: int;
var b: bool;
var m: [int]int;
"""
# Stands in each procedure as `n`, `x`, `y` and `r`; `i` counts the iterations of loops.
INTEGERS = ("x", "y", "r", "g", "k", "0", "1", "2", "3")


class _Writer:
    def __init__(self, chance: Random, shape: Shape) -> None:
        self.chance = chance
        self.shape = shape

    def integer(self, depth: int = 1) -> str:
        if depth == 0 or self.chance.random() < 0.6:
            return self.chance.choice(INTEGERS)
        inner = self.integer(depth - 1)
        return self.chance.choice([f"({inner} + {self.integer(depth - 1)}) mod 4", f"m[{inner}]"])

    def condition(self) -> str:
        a, c = self.integer(), self.integer()
        simple = ["b", "!b", f"{a} == {c}", f"{a} != {c}", f"{a} < {c}"]
        first = self.chance.choice(simple)
        if self.chance.random() < 0.7:
            return first
        return f"({first}) {self.chance.choice(['&&', '||', '==>'])} ({self.chance.choice(simple)})"

    def assertion(self) -> str:
        if self.chance.random() < self.shape.fails:
            return self.condition()
        return f"0 <= {self.integer()} && (b || !b)"

    def body(self, of: int, depth: int) -> str:
        return " ".join(self.statement(of, depth) for _ in range(self.chance.randint(1, self.shape.statements)))

    def statement(self, of: int, depth: int) -> str:
        """A statement of procedure number `of`."""
        target = self.chance.choice(["r", "y", "g", "k"])
        forms: list[Callable[[], str]] = [
            lambda: f"{target} := {self.integer()};",
            lambda: f"assert {self.assertion()};",
            lambda: f"b := {self.condition()};",
            lambda: f"m[{self.integer()}] := {self.integer()};",
            lambda: f"havoc {target}; assume 0 <= {target} && {target} <= 3;",
            lambda: self.call(of),
            lambda: "havoc b;",
            lambda: f"assume {self.condition()};",
            lambda: f"if ({self.condition()}) {{ return; }}",
        ]
        if depth > 0:
            forms.append(lambda: self.branch(of, depth - 1))
            if self.shape.loops:
                forms.append(lambda: self.loop(of, depth - 1))
        return self.chance.choice(forms)()

    def branch(self, of: int, depth: int) -> str:
        guard = self.chance.choice(["*", self.condition()])
        otherwise = self.chance.choice(["", f" else {{ {self.body(of, depth)} }}"])
        return f"if ({guard}) {{ {self.body(of, depth)} }}{otherwise}"

    def loop(self, of: int, depth: int) -> str:
        """A loop that counts in a variable of its own: only the innermost may be inside another."""
        counter = f"i{depth}"
        guard = self.chance.choice([f"{counter} < 2", f"{counter} < x"])
        leave = self.chance.choice(["", f" if ({self.condition()}) {{ break; }}"])
        invariant = self.chance.choice(["", f" invariant 0 <= {counter};"])
        return (
            f"{counter} := 0; while ({guard}){invariant} "
            f"{{ {self.body(of, depth)}{leave} {counter} := {counter} + 1; }}"
        )

    def call(self, of: int) -> str:
        further_down = range(of + 1, self.shape.procedures)
        others = range(1, of + 1) if self.shape.recursive else range(0)
        forms = [f"call r := P{p}(n, {self.integer()});" for p in further_down]
        forms += [f"if (n > 0) {{ call r := P{p}(n - 1, {self.integer()}); }}" for p in others]
        return self.chance.choice(forms) if forms else "r := x;"

    def procedure(self, number: int) -> str:
        contract = ""
        if self.shape.contracts:
            contract = self.chance.choice(["", "  requires 0 <= x && x <= 3;\n  ensures 0 <= r && r <= 3;\n"])
        return (
            f"procedure P{number}(n: int, x: int) returns (r: int)\n  modifies g, k, b, m;\n{contract}"
            f"{{\n  var y, i0, i1: int;\n  r, y := 0, x;\n  {self.body(number, 2)}\n}}\n"
        )

    def main(self) -> str:
        start = self.chance.choice(
            ["g, k, b := 0, 1, false;", "assume 0 <= g && g <= 3 && 0 <= k && k <= 3;", "g, k := 3, 0;"]
        )
        elements = " ".join(f"m[{n}] := {self.chance.randint(0, 3)};" for n in range(4))
        contract = ""
        if self.shape.contracts:
            contract = self.chance.choice(["", "  requires k <= 2;\n  ensures g <= 3;\n", "  free ensures g != 2;\n"])
        return (
            f"procedure main()\n  modifies g, k, b, m;\n{contract}{{\n  var n, x, y, r, i0, i1: int;\n"
            f"  n, x, y, r := {self.shape.fuel}, 1, 0, 0;\n  {start}\n  {elements}\n"
            f"  {self.body(0, 2)}\n  {self.call(0)}\n  assert {self.assertion()};\n}}\n"
        )


def random_executable(chance: Random, shape: Shape = ORDINARY) -> str:
    """A program whose entry is `main`."""
    writer = _Writer(chance, shape)
    procedures: Sequence[str] = [writer.procedure(n) for n in range(1, shape.procedures)]
    return HEADER + writer.main() + "".join(procedures)


def executable_programs(shape: Shape = ORDINARY) -> st.SearchStrategy[str]:
    return st.randoms(use_true_random=False).map(lambda chance: random_executable(chance, shape))


def few_values(type_: Type) -> list[Value]:
    """Whatever an arbitrary variable of such a program need be tried with."""
    if type_ is BOOL:
        return [False, True]
    return [MapValue(0)] if isinstance(type_, Map) else [0, 1, 2, 3]
