"""Random well-typed Boogie programs as text that use all of the language, for parsing, printing and passes.

`rich_programs()` is for Hypothesis, `random_program` takes any source of randomness. Where several forms are possible
the simplest comes first: when Hypothesis shrinks, its source leans towards first choices, and ends with plain programs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from hypothesis import strategies as st

PREAMBLE = """\
type T;
type {:note} Pair a b;
type Row = [int]int;
type Table a = [int][bool]a;
type Field a;
datatype Color { Red(), Green(shade: int), Blue(shade: int, {:note 1} deep: bool) }
datatype List { Nil(), Cons(head: int, tail: List) }
datatype Option<a> { None(), Some(value: a) }
const unique t1, t2: T;
const {:limit 10} limit: int;
const pair: Pair int T;
const table: Table real;
const size: Field int;
function f(int): int;
function {:inline} twice(x: int): int { x + x }
function p(x, y: int) returns (bool);
function {:bvbuiltin "bvadd"} add8(bv8, bv8): bv8;
function id<a>(x: a): a;
function count<a>(m: [int]a): int { if m == m then 0 else 1 }
axiom (forall<a> x: a :: {id(x)} id(x) == x);
axiom {:weight 2} (forall x: int :: {:note "f"} {f(x)} {f(f(x)), f(x)} f(x) >= x);
var {:global} g: int where g >= 0;
var h, k: bool;
var row: Row;
var heap: <a>[T, Field a]a;
procedure Callee(x: int, m: [int]int) returns (y: int, c: Color);
  requires x >= 0;
  free ensures {:note "free"} y == old(g) + x;
procedure Swap<a, b>(x: a, y: b) returns (v: b, w: a)
{
  v, w := y, x;
}
"""
GLOBALS = {"g": "int", "h": "bool", "k": "bool", "row": "[int]int"}

# The types, with expressions of each that need nothing else.
ATOMS = {
    "bool": ["true", "false"],
    "int": ["0", "1", "limit", "123456789012345678901234567890"],
    "real": ["0.0", "1.5", "1e3", "2.50e-2"],
    "bv8": ["0bv8", "255bv8"],
    "T": ["t1", "t2"],
    "[int]int": ["(lambda i: int :: i)"],
    "Color": ["Red()", "Green(1)", "Blue(2, true)"],
    "List": ["Nil()", "Cons(1, Nil())"],
    "[int,bool]int": ["(lambda i: int, j: bool :: if j then i else 0)"],
    "[bool]real": ["table[0]"],
    "[int][bool]real": ["table"],
    "Option int": ["Some(1)", "(None() : Option int)"],
    "Option (Option bool)": ["Some(Some(true))", "(None() : Option (Option bool))"],
    "Pair int T": ["pair"],
    "float24e8": ["0x1.8e0f24e8", "-0x1.8e0f24e8", "0NaN24e8", "0+oo24e8"],
    "rmode": ["RNE", "roundTowardZero"],
    "string": ['""', '"a \\" b"'],
}
TYPES = list(ATOMS)
MAPS = {  # the types of their indices and elements
    "[int]int": (["int"], "int"),
    "[int,bool]int": (["int", "bool"], "int"),
    "[bool]real": (["bool"], "real"),
    "[int][bool]real": (["int"], "[bool]real"),
}
ATTRIBUTES = ["", "", "", "{:a} ", '{:b "text", 1} ', "{:c limit + 1} {:d} "]
Scope = dict[str, str]  # variables and their types


@dataclass
class _Writer:
    """Writes expressions and statements; `depth` says how much nesting is left."""

    chance: Random
    names: int = 0
    breakable: list[str] = field(default_factory=list)  # the labels of the statements around
    in_loop: bool = False

    def one_of(self, alternatives: Sequence[Callable[[], str]]) -> str:
        return self.chance.choice(alternatives)()

    def new(self, base: str) -> str:
        self.names += 1
        return f"{base}{self.names}"

    def attributes(self) -> str:
        return self.chance.choice(ATTRIBUTES)

    # --- expressions -----------------------------------------------------------------------------

    def expression(self, type_: str, scope: Scope, depth: int) -> str:
        atoms = ATOMS[type_] + [name for name, t in scope.items() if t == type_]
        if depth <= 0 or self.chance.random() < 0.3:
            return self.chance.choice(atoms)
        return self.one_of([*self._general_forms(type_, scope, depth - 1), *self._forms(type_, scope, depth - 1)])

    def _general_forms(self, type_: str, scope: Scope, depth: int) -> list[Callable[[], str]]:
        """Ways to make an expression of any type."""

        def e(t: str) -> str:
            return self.expression(t, scope, depth)

        def let() -> str:
            name, of = self.new("l"), self.chance.choice(TYPES)
            return f"(var {name} := {e(of)}; {self.expression(type_, {**scope, name: of}, depth)})"

        def element() -> str:
            map_ = self.chance.choice([m for m, (_, of) in MAPS.items() if of == type_])
            return f"({e(map_)})[{', '.join(map(e, MAPS[map_][0]))}]"

        forms: list[Callable[[], str]] = [
            lambda: f"({e(type_)})",
            lambda: f"(if {e('bool')} then {e(type_)} else {e(type_)})",
            lambda: f"id({e(type_)})",
            lambda: f"({e(type_)} : {type_})",
            let,
        ]
        if any(of == type_ for _, of in MAPS.values()):
            forms.append(element)
        if type_ in MAPS:
            indices, of = MAPS[type_]
            forms.append(lambda: f"({e(type_)})[{', '.join(map(e, indices))} := {e(of)}]")
        return forms

    def _forms(self, type_: str, scope: Scope, depth: int) -> list[Callable[[], str]]:
        """Ways to make an expression of this type."""

        def e(t: str) -> str:
            return self.expression(t, scope, depth)

        def infix(t: str, *operators: str) -> Callable[[], str]:
            return lambda: f"({e(t)} {self.chance.choice(operators)} {e(t)})"

        def bound(kind: str, of: str) -> str:
            name, type_of_name = self.new("q"), self.chance.choice(TYPES[:6]) if kind != "lambda" else "int"
            trigger = self.chance.choice(["", "", f"{{ id({name}) }} ", f"{{:nopats id({name})}} "])
            body = self.expression(of, {**scope, name: type_of_name}, depth)
            return f"({kind} {name}: {type_of_name} :: {self.attributes()}{trigger if kind != 'lambda' else ''}{body})"

        match type_:
            case "bool":
                return self._conditions(e, infix, bound)
            case "int":
                return [
                    infix("int", "+", "-", "*", "div", "mod"),
                    lambda: f"-({e('int')})",
                    lambda: f"f({e('int')})",
                    lambda: f"twice({e('int')})",
                    lambda: f"int({e('real')})",
                    lambda: f"count({e('[int]int')})",
                    lambda: f"({e('Color')})->shade",
                    lambda: f"({e('Option int')})->value",
                ]
            case "real":
                return [
                    infix("real", "+", "-", "*", "/", "**"),
                    lambda: f"real({e('int')})",
                    lambda: f"({e('int')} / {e('real')})",
                ]
            case "bv8":
                return [
                    lambda: f"(({e('bv8')})[4:0] ++ ({e('bv8')})[8:4])",
                    lambda: f"add8({e('bv8')}, {e('bv8')})",
                ]
            case "float24e8":
                return [infix("float24e8", "+", "-", "*", "/")]
            case "Color":
                return [
                    lambda: f"Blue({e('int')}, {e('bool')})",
                    lambda: f"({e('Color')})->(shade := {e('int')})",
                ]
            case "List":
                return [lambda: f"Cons({e('int')}, {e('List')})", lambda: f"({e('List')})->tail"]
            case "[int]int":
                return [lambda: bound("lambda", "int")]
            case _:
                return []

    def _conditions(
        self, e: Callable[[str], str], infix: Callable[..., Callable[[], str]], bound: Callable[[str, str], str]
    ) -> list[Callable[[], str]]:
        """Ways to make a condition."""
        return [
            infix("int", "==", "!=", "<", "<=", ">", ">="),
            infix("bool", "&&", "||", "==>", "<==>", "<=="),
            lambda: f"!({e('bool')})",
            infix(self.chance.choice(TYPES), "==", "!="),
            lambda: f"({e('int')} < {e('int')} <= {e('int')})",
            lambda: bound(self.chance.choice(["forall", "exists"]), "bool"),
            lambda: f"(({e('Color')}) is {self.chance.choice(['Red', 'Green', 'Blue'])})",
            lambda: f"(({e('Option int')}) is Some)",
            lambda: f"({e('Color')})->deep",
            lambda: f"p({e('int')}, {e('int')})",
        ]

    # --- statements ------------------------------------------------------------------------------

    def statements(self, scope: Scope, depth: int, forward: Sequence[str] = ()) -> str:
        """Some statements; `forward` are labels that come later and can be jumped to."""
        return "\n".join(self.statement(scope, depth, forward) for _ in range(self.chance.randint(1, 3)))

    def statement(self, scope: Scope, depth: int, forward: Sequence[str]) -> str:
        def e(t: str) -> str:
            return self.expression(t, scope, 2)

        def variable() -> str:
            return self.chance.choice(list(scope))

        def assign() -> str:
            name = variable()
            return f"{name} := {e(scope[name])};"

        def assign_part() -> str:
            return self.chance.choice(
                [
                    f"row[{e('int')}] := {e('int')};",
                    f"c->shade := {e('int')};",
                    f"heap[{e('T')}, size] := {e('int')};",
                    f"n, row[{e('int')}] := {self.attributes()}{e('int')}, {e('int')};",
                    f"Green(n) := {e('Color')};",
                ]
            )

        def call() -> str:
            return self.chance.choice(
                [
                    f"call {self.attributes()}n, c := Callee({e('int')}, {e('[int]int')});",
                    f"free call n, c := Callee({e('int')}, row);",
                    f"call b, n := Swap({e('int')}, {e('bool')});",
                    f"async call Callee({e('int')}, row);",
                    f"par n, c := Callee({e('int')}, row) | b, g := Swap({e('int')}, {e('bool')});",
                ]
            )

        def jump() -> str:
            jumps = ["return;", "assume {:jump} true;"]
            jumps += [f"break {label};" for label in self.breakable] + ["break;"] * self.in_loop
            jumps += [f"goto {', '.join(forward)};"] if forward else []
            return f"if ({self.chance.choice(['*', e('bool')])}) {{ {self.chance.choice(jumps)} }}"

        simple: list[Callable[[], str]] = [
            assign,
            lambda: f"assert {self.attributes()}{e('bool')};",
            lambda: f"assume {self.attributes()}{e('bool')};",
            lambda: f"havoc {variable()};",
            assign_part,
            call,
            jump,
            lambda: "yield;",
        ]
        if depth <= 0:
            return self.one_of(simple)
        return self.one_of([*simple, lambda: self._if(scope, depth - 1), lambda: self._while(scope, depth - 1)])

    def _if(self, scope: Scope, depth: int) -> str:
        def block() -> str:
            return f"{{ {self.statements(scope, depth)} }}"

        guard = self.chance.choice(["*", self.expression("bool", scope, 2)])
        otherwise = self.one_of([lambda: "", lambda: f" else {block()}", lambda: f" else if (*) {block()}"])
        return self._labelled(lambda: f"if ({guard}) {block()}{otherwise}")

    def _while(self, scope: Scope, depth: int) -> str:
        def loop() -> str:
            outside, self.in_loop = self.in_loop, True
            guard = self.chance.choice(["*", self.expression("bool", scope, 2)])
            invariant = self.chance.choice(["", " invariant true;", " free invariant {:i} g == old(g);"])
            text = f"while ({guard}){invariant} {{ {self.statements(scope, depth)} }}"
            self.in_loop = outside
            return text

        return self._labelled(loop)

    def _labelled(self, statement: Callable[[], str]) -> str:
        """A statement, perhaps with a label that can be broken out of."""
        if self.chance.random() < 0.6:
            return statement()
        label = self.new("around")
        self.breakable.append(label)
        text = statement()
        self.breakable.pop()
        return f"{label}: {text}"

    # --- procedures ------------------------------------------------------------------------------

    def procedure(self, name: str) -> str:
        params = {self.new("in"): self.chance.choice(TYPES) for _ in range(self.chance.randint(0, 2))}
        locals_ = {self.new("v"): self.chance.choice(TYPES) for _ in range(self.chance.randint(0, 3))}
        results = {"n": "int", "b": "bool", "c": "Color"}
        visible = {**GLOBALS, **params, **results}
        changeable = {**GLOBALS, **results, **locals_}
        before, after = {**GLOBALS, **params}, visible
        contract = self.chance.choice(["", f"  requires {self.attributes()}{self.expression('bool', before, 2)};\n"])
        contract += self.chance.choice(["", f"  free ensures {self.expression('bool', after, 2)};\n"])
        where = self.chance.choice(["", f" where {self.expression('bool', {**visible, **locals_}, 1)}"])
        declarations = "".join(f"  var {self.attributes()}{n}: {t}{where};\n" for n, t in locals_.items())
        code = [self.statements(changeable, 2, ["middle", "end"])]
        code.append(f"middle: {self.statements(changeable, 1, ['end'])}\nend: {self.statements(changeable, 1)}")
        head = f"{name}({_listing(params)}) returns ({_listing(results)})"
        body = "\n".join(code)
        return (
            f"procedure {self.attributes()}{head}\n  modifies g, h, k, row, heap;\n{contract}"
            f"{{\n{declarations}{body}\n}}\n"
        )


def _listing(variables: Scope) -> str:
    return ", ".join(f"{name}: {type_}" for name, type_ in variables.items())


def random_program(chance: Random) -> str:
    """A program that uses whatever Boogie has."""
    writer = _Writer(chance)
    axioms = "".join(f"axiom {writer.expression('bool', {}, 3)};\n" for _ in range(chance.randint(0, 2)))
    count = chance.randint(1, 2)
    procedures = "".join(writer.procedure(name) for name in ["main", "Other"][:count])
    return PREAMBLE + axioms + procedures


def rich_programs() -> st.SearchStrategy[str]:
    return st.randoms(use_true_random=False).map(random_program)
