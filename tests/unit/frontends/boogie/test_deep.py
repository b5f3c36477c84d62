"""Deep and long programs go all the way: read, validated, printed and read again, and through the passes."""

from __future__ import annotations

import sys

import pytest

from paddock.ir.callgraph import CallGraph
from paddock.ir.modref import mod_ref
from paddock.ir.program import Program
from paddock.ir.validate import check_valid
from paddock.passes.registry import run_passes
from tests.unit.frontends.boogie.loading import errors, loaded

DEPTH = 3 * sys.getrecursionlimit() // 2


def asserted(condition: str, declarations: str = "") -> str:
    return f"{declarations} procedure main(b: bool, x: int, v: bv8, m: [int]int) {{ assert {condition}; }}"


def nested(before: str, inside: str, after: str, depth: int = DEPTH) -> str:
    return before * depth + inside + after * depth


def numbered(piece: str, count: int) -> str:
    """The piece again and again, with numbers for `@` and the next numbers for `@@`."""
    return "".join(piece.replace("@@", str(n + 1)).replace("@", str(n)) for n in range(count))


LISTS = "datatype List { Nil(), Cons(head: int, tail: List) }"
EXPRESSIONS = {
    "and": asserted(" && ".join(["b"] * DEPTH)),
    "or": asserted(" || ".join(["b"] * DEPTH)),
    "implies": asserted(" ==> ".join(["b"] * DEPTH)),
    "explies": asserted(" <== ".join(["b"] * DEPTH)),
    "iff": asserted(" <==> ".join(["b"] * DEPTH)),
    "chained": asserted(" <= ".join(["x"] * DEPTH)),
    "sum": asserted(" + ".join(["x"] * DEPTH) + " == 0"),
    "not": asserted("!" * DEPTH + "b"),
    "minus": asserted("-" * DEPTH + "x == 0"),
    "parentheses": asserted(nested("(", "b", ")")),
    "left parentheses": asserted(nested("(", "b", " && b)")),
    "right parentheses": asserted(nested("(b || ", "b", ")")),
    "quantifiers": asserted(numbered("(forall x@: int :: ", DEPTH) + "x0 > x1" + ")" * DEPTH),
    "hiding quantifiers": asserted(nested("(exists x: int :: ", "x > 0", ")", DEPTH)),
    "lets": asserted(nested("(var x := x + 1; ", "x > 0", ")", DEPTH)),
    "values of lets": asserted(nested("(var x := ", "x", "; x)") + " > 0"),
    "lambdas": asserted(nested("(lambda y: int :: ", "x", ")", DEPTH) + "[0]" * DEPTH + " == 0"),
    "attributes": asserted(nested("(forall y: int :: {:a ", "b", "} b)", DEPTH)),
    "attributes of variables": asserted(nested("(forall {:a ", "b", "} y: int :: b)", DEPTH)),
    "triggers": asserted("(forall y: int :: { " + nested("f(", "y", ")") + " } b)", "function f(int): int;"),
    "if": asserted(nested("(if b then x else ", "x", ")") + " == 0"),
    "conditions of if": asserted(nested("(if ", "b", " then b else b)")),
    "calls": asserted(nested("f(", "x", ")") + " == 0", "function f(int): int;"),
    "indices": asserted(nested("m[", "0", "]") + " == 0"),
    "stores": asserted("m" + "[0 := 1]" * DEPTH + " == m"),
    "old": asserted(nested("old(", "b", ")")),
    "coercions": asserted(nested("(", "b", " : bool)")),
    "bits": asserted("v" + "[8:0]" * DEPTH + " == v ++ 0bv0"),
    "fields": asserted(nested("Cons(1, ", "Nil()", ")") + "->tail" * DEPTH + " is Nil", LISTS),
    "updates": asserted("Nil()" + "->(head := 1)" * DEPTH + " is Nil", LISTS),
    "polymorphic calls": asserted(nested("id(", "x", ")", DEPTH) + " == 0", "function id<a>(x: a): a;"),
}
TYPES = {
    "ranges": f"var m: {'[int]' * DEPTH}int;",
    "domains": f"var m: {nested('[', 'int', ']bool')};",
    "arguments": f"type T a; var x: {nested('T (', 'int', ')')};",
    "synonyms": "type S0 = int;" + numbered("type S@@ = S@;", DEPTH) + f"var x: S{DEPTH};",
    "synonyms, the last first": f"var x: S0; {numbered('type S@ = S@@;', DEPTH)} type S{DEPTH} = int;",
    "growing synonyms": "type S0 a = a;" + numbered("type S@@ a = [int](S@ a);", 300) + "var x: S300 int;",
    "datatypes": "datatype D0 { C0() }" + numbered("datatype D@@ { C@@(f: D@) }", DEPTH),
    "functions": "function {:inline} f0(x: int): int { x }"
    + numbered("function {:inline} f@@(x: int): int { f@(x) + 1 }", DEPTH),
}
BODIES = {
    "statements": "x := x + 1; " * DEPTH,
    "ifs": nested("if (x > 0) { ", "x := 1;", " }", DEPTH),
    "elses": nested("if (x > 0) { x := 2; } else { ", "x := 1;", " }", DEPTH),
    "else ifs": "if (*) { x := 2; } else " * DEPTH + "{ x := 1; }",
    "loops": nested("while (x > 0) { ", "x := 1;", " }", DEPTH),
    "breaks": numbered("L@: while (x > 0) { ", 1000) + numbered("if (*) { break L@; }", 1000) + "}" * 1000,
    "jumps": numbered("L@: goto L@@, L0; ", DEPTH) + f"L{DEPTH}: return;",
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions(name: str) -> None:
    loaded(EXPRESSIONS[name])


@pytest.mark.parametrize("name", TYPES)
def test_types(name: str) -> None:
    loaded(TYPES[name])


@pytest.mark.parametrize("name", BODIES)
def test_bodies(name: str) -> None:
    loaded(f"procedure main() {{ var x: int; {BODIES[name]} }}")


@pytest.mark.slow
def test_a_very_long_expression() -> None:
    loaded(asserted(" && ".join(["b"] * 100_000)))


@pytest.mark.slow
def test_very_many_statements() -> None:
    loaded(f"procedure main() {{ var x: int; {'x := x + 1; ' * 100_000} }}")


def test_synonyms_that_grow_without_bounds_are_refused() -> None:
    found = errors("type S0 = int;" + numbered("type S@@ = [S@]S@;", 60))
    assert [d.message for d in found] == ["this type is too large when its synonyms are written out"]


def test_instances_that_grow_without_bounds_are_refused() -> None:
    text = "type P a b; function f<a>(x: a): P a a;" + asserted(
        f"{nested('f(', '1', ')', 25)} == {nested('f(', '1', ')', 25)}"
    )
    (found,) = errors(text)
    assert "infinitely many types, or for too many" in found.message


def test_cycle_of_synonyms() -> None:
    (found,) = errors(numbered("type S@ = S@@;", DEPTH) + f"type S{DEPTH} = S0;")
    assert found.message == "the type synonym 'S0' is defined through itself"
    assert len(found.hint) < 100


@pytest.fixture(scope="module")
def chain() -> Program:
    """A chain of calls from `main`, deeper than Python's stack."""
    count = DEPTH
    links = numbered("procedure P@() modifies g; { g := g + 1; call P@@(); assert g > 0; }", count)
    last = f"procedure P{count}() modifies g; requires g > 0; ensures g == 0; {{ g := 0; }}"
    return loaded(f"var g: int; procedure main() modifies g; {{ call P0(); }} {links} {last}")


def test_call_graph_of_a_long_chain(chain: Program) -> None:
    graph = CallGraph(chain)
    assert len(graph.components) == len(chain.procedures)
    assert not graph.recursive
    assert all(m.modifies == (chain.globals[0].var,) for m in mod_ref(chain).values())


@pytest.mark.parametrize("names", [["prune"], ["check-specs", "error-bit"], ["check-specs", "extract-loops", "prune"]])
def test_passes_on_a_long_chain(chain: Program, names: list[str]) -> None:
    assert len(check_valid(run_passes(chain, names)).procedures) >= len(chain.procedures)
