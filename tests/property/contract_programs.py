"""Random Boogie programs with specifications: contracts, free and checked, invariants, `old`, `where`, calls, maps.

What they ask is linear arithmetic without quantifiers, so that a solver has an answer. A variable with a `where` clause
is never assigned to: Boogie relies on the clause wherever it looks at a procedure by itself. In a `modular` program,
callees and loops have bodies, and a verifier that looks at one procedure at a time knows less than one that runs all;
in others there is nothing but the body of `main` to look at, so both know the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
DECLARATIONS = """\
var g{n}, h{n}: int;
var w{n}: int where w{n} >= 0;
var m{n}: [int]int;
const c{n}: int;
axiom c{n} > 2;
function {{:inline}} twice{n}(x: int): int {{ x + x }}
function f{n}(x: int): int;
"""


# Programs with what the random ones do not have.
SAMPLES = [
    """
    type T; type M _ _; const unique a, b: T; function f(T): int; axiom (forall t: T :: { f(t) } f(t) > 0);
    procedure P(m: M int T) { assert f(a) > 0; }
    """,
    """
    type Field _; var h: <a>[Field a]a; const unique x: Field int;
    procedure P<a>(f: Field a) returns (r: a); ensures r == h[f];
    procedure Q() { var i: int; call i := P(x); assert i == h[x]; }
    """,
    """
    function id<a>(x: a): a; axiom (forall<a> x: a :: { id(x) } id(x) == x);
    procedure P() { assert id(3) == 3; assert (forall<a> x: a :: id(x) == x); }
    """,
    """
    const c: bv8; function {:bvbuiltin "bvadd"} add(bv8, bv8): bv8;
    procedure P() { assert add(c, 1bv8)[4:0] == 3bv4; assert c ++ 0bv1 == 3bv9; }
    """,
    """
    var x: int;
    procedure P() modifies x; { start: x := 1; goto a, b; a: assert {:id "one"} x > 0; return; b: x := 2; }
    procedure Q() modifies x; { while (*) invariant x > 0; { if (x == 3) { break; } call P(); } }
    """,
    """
    function f(x: int): bool; axiom (exists x: int :: { f(x) } f(x));
    axiom (forall x, y: int :: { f(x), f(y) } f(x) == f(y)); const m: [int]bool; axiom m == (lambda i: int :: f(i));
    axiom (forall r: real :: int(r) < 3 || r / 2.0 > 1.5);
    """,
    """
    type {:extern} S; type S = [int]bool; const {:extern} k: S;
    procedure {:extern} P(s: S); procedure P(s: S) { assert s == k; }
    """,
    "#if FILE_0\nconst a: int;\n#else\nconst a: bool;\n#endif\n#line 7 other.bpl\nprocedure P() { assert a == 1; }",
]


@dataclass(frozen=True)
class ContractProgram:
    """A program whose names all end in one number, and its entry; `modular` says whether more than that has a body."""

    text: str
    entry: str
    modular: bool


def contract_program(seed: int) -> ContractProgram:
    """The program of a seed. Programs of different seeds have different names, so that they can be one text."""
    chance = Random(seed)
    writer = _Writer(chance, f"_{seed}", chance.random() < 0.5)
    return ContractProgram(writer.program(), f"main{writer.n}", writer.modular)


class _Writer:
    def __init__(self, chance: Random, n: str, modular: bool) -> None:
        self.chance = chance
        self.n = n
        self.modular = modular
        self.callees: list[str] = []
        self.locals = ["x", "y", "r"]
        self.has_old = False
        self.assumed: list[str] = []  # in the procedure at hand

    def program(self) -> str:
        parts = [DECLARATIONS.format(n=self.n)]
        for index in range(self.chance.randrange(3)):
            parts.append(self._procedure(f"P{index}{self.n}", has_body=self.modular and self.chance.random() < 0.8))
            self.callees.append(f"P{index}{self.n}")
        parts.append(self._procedure(f"main{self.n}", has_body=True))
        return "\n".join(parts)

    def _procedure(self, name: str, has_body: bool) -> str:
        self.assumed = []
        before = ["x", "y"]
        after = ["x", "y", "r"]
        clauses = [f"  modifies g{self.n}, h{self.n}, m{self.n}, w{self.n};"]
        for keyword, names in (("requires", before), ("ensures", after)):
            for _ in range(self.chance.choice([0, 0, 1, 1, 2])):
                free = "free " if self.chance.random() < 0.2 else ""
                self.locals, self.has_old = names, keyword == "ensures"
                clauses.append(f"  {free}{keyword} {self.claim() if not free else self.condition()};")
        where = f" where r >= {self.chance.randrange(3)}" if not has_body and self.chance.random() < 0.3 else ""
        head = f"procedure {name}(x: int, y: int) returns (r: int{where})"
        if not has_body:
            return "\n".join([f"{head};", *clauses, ""])
        self.locals, self.has_old = ["x", "y", "r", "t"], True
        body = self.statements(4, depth=2)
        lines = ["  var t: int;", "  var s: int where s != 1;", *body]
        return "\n".join([head, *clauses, "{", *lines, "}", ""])

    # --- expressions ---------------------------------------------------------------------------------

    def integer(self, depth: int = 2) -> str:
        chance, n = self.chance, self.n
        names = [*self.locals, f"g{n}", f"h{n}", f"w{n}", f"c{n}", "0", "1", "2"]
        if depth == 0 or chance.random() < 0.5:
            return chance.choice(names)
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        forms = [f"({a} + {b})", f"({a} - {b})", f"m{n}[{a}]", f"twice{n}({a})", f"f{n}({a})", f"(2 * {a})"]
        forms.append(f"m{n}[{a} := {b}][{self.integer(0)}]")
        forms.append(f"(if {self.integer(0)} < {self.integer(0)} then {a} else {b})")
        if self.has_old:
            forms += [f"old(g{n})", f"old({a})", f"old(m{n})[{a}]"]
        return chance.choice(forms)

    def condition(self, depth: int = 1) -> str:
        chance = self.chance
        plain = f"{self.integer(1)} {chance.choice(COMPARISONS)} {self.integer(1)}"
        if depth == 0 or chance.random() < 0.5:
            return plain
        operator = chance.choice(["&&", "||", "==>", "<==>"])
        return f"({self.condition(depth - 1)}) {operator} ({plain})" if chance.random() < 0.8 else f"!({plain})"

    def claim(self) -> str:
        """Something to be checked. In a modular program, it should often be true, or nothing is ever proved."""
        claim = self.condition()
        if not self.modular or self.chance.random() < 0.15:
            return claim
        if self.assumed and self.chance.random() < 0.6:
            return f"({claim}) || ({self.chance.choice(self.assumed)})"
        a, b = self.integer(1), self.integer(1)
        return f"({claim}) || {a} <= {b} || {b} < {a} + 1"

    # --- statements ----------------------------------------------------------------------------------

    def statements(self, count: int, depth: int) -> list[str]:
        return [f"  {line}" for _ in range(self.chance.randrange(1, count + 1)) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        chance, n = self.chance, self.n
        r = chance.random()
        if r < 0.25:
            return [f"{chance.choice(['t', 'r', f'g{n}', f'h{n}'])} := {self.integer()};"]
        if r < 0.35:
            return [f"m{n}[{self.integer(1)}] := {self.integer(1)};"]
        if r < 0.42:
            return [f"havoc {chance.choice(['t', 'r', f'g{n}', f'w{n}', f'm{n}', f'h{n}, t'])};"]
        if r < 0.47:
            return chance.choice([["havoc s;", "assert s < 1 || s > 1;"], [f"havoc w{n};", f"assert w{n} > 0 - 1;"]])
        if r < 0.55:
            self.assumed.append(self.condition())
            return [f"assume {self.assumed[-1]};"]
        if r < 0.75:
            return [f"assert {self.claim()};"]
        if r < 0.85 and self.callees:
            target = chance.choice(["t", "r", f"g{n}"])
            return [f"call {target} := {chance.choice(self.callees)}({self.integer(1)}, {self.integer(1)});"]
        if r < 0.93 and depth:
            return self._branch(depth)
        if self.modular and depth:
            return self._loop(depth)
        return [f"assert {self.claim()};"]

    def _branch(self, depth: int) -> list[str]:
        guard = self.condition() if self.chance.random() < 0.8 else "*"
        then, otherwise = self.statements(2, depth - 1), self.statements(2, depth - 1)
        return [f"if ({guard}) {{", *then, "} else {", *otherwise, "}"]

    def _loop(self, depth: int) -> list[str]:
        """A loop that ends, for a counter that the rest of the body leaves alone."""
        counter, n = "h" + self.n, self.chance.randrange(1, 3)
        free = "free " if self.chance.random() < 0.2 else ""
        invariants = [f"  invariant {counter} <= {n};"] if self.chance.random() < 0.7 else []
        if self.chance.random() < 0.5:
            invariants.append(f"  {free}invariant {self.claim()};")
        body = [line for line in self.statements(2, 0) if counter not in line.split(":=")[0] and "call" not in line]
        step = f"  {counter} := {counter} + 1;"
        return [f"{counter} := 0;", f"while ({counter} < {n})", *invariants, "{", *body, step, "}"]
