"""Polymorphism: programs and what they are without it, as text; and what is refused."""

from __future__ import annotations

import pytest

from tests.unit.frontends.boogie.loading import check_errors, loaded


@pytest.mark.parametrize(
    ("polymorphic", "monomorphic"),
    [
        # functions
        (
            "function id<a>(x: a): a; procedure main() { assert id(3) == 3 && id(true); }",
            """function id#bool(x: bool): bool; function id#int(x: int): int;
            procedure main() { assert id#int(3) == 3 && id#bool(true); }""",
        ),
        (
            """function {:inline} pair<a, b>(x: a, y: b): [a]b { (lambda z: a :: y) }
            procedure main(m: [int]bool) { assert m == pair(1, true); }""",
            """function {:inline} pair#int#bool(x: int, y: bool): [int]bool { (lambda z: int :: y) }
            procedure main(m: [int]bool) { assert m == pair#int#bool(1, true); }""",
        ),
        # The type may be known from the context only, or from a coercion.
        (
            "function any<a>(): a; procedure main(x: int) { assert x == any() && any(); assert (any() : real) > 0.0; }",
            """function any#bool(): bool; function any#int(): int; function any#real(): real;
            procedure main(x: int) { assert x == any#int() && any#bool(); assert any#real() > 0.0; }""",
        ),
        # One copy asks for another; what is not used is not there.
        (
            """function f<a>(x: a): bool { g(g(x)) == x } function g<a>(x: a): a; function h<a>(x: a): a { g(x) }
            procedure main() { assert f(1); }""",
            """function f#int(x: int): bool { g#int(g#int(x)) == x } function g#int(x: int): int;
            procedure main() { assert f#int(1); }""",
        ),
        # A name that is taken is avoided.
        (
            "function id<a>(x: a): a; function id#int(x: int): int; procedure main() { assert id(1) == id#int(1); }",
            """function id#int(x: int): int; function id#int#1(x: int): int;
            procedure main() { assert id#int#1(1) == id#int(1); }""",
        ),
        # axioms, for the types that are used
        (
            """function size<a>(x: a): int; axiom {:n} (forall<a> x: a :: {size(x)} size(x) >= 0);
            procedure main() { assert size(1) == size(true); }""",
            """function size#bool(x: bool): int; function size#int(x: int): int;
            axiom {:n} (forall x: bool :: {size#bool(x)} size#bool(x) >= 0);
            axiom {:n} (forall x: int :: {size#int(x)} size#int(x) >= 0);
            procedure main() { assert size#int(1) == size#bool(true); }""",
        ),
        (
            """type Box a; function box<a>(x: a): Box a; function unbox<a>(x: Box a): a;
            axiom (forall<a> x: a :: unbox(box(x)) == x);
            axiom (forall<a> b: Box a :: box(unbox(b)) == b);
            procedure main() { assert box(1) == box(2); }""",
            """type Box a; function box#int(x: int): Box int; function unbox#int(x: Box int): int;
            axiom (forall x: int :: unbox#int(box#int(x)) == x);
            axiom (forall b: Box int :: box#int(unbox#int(b)) == b);
            procedure main() { assert box#int(1) == box#int(2); }""",
        ),
        (
            "axiom (forall<a> x: int :: x == x); axiom (forall<a> :: true);",
            "axiom (forall x: int :: x == x); axiom true;",
        ),
        (
            "function f<a>(x: a): a; axiom (forall<a> x: a :: f(x) == x); procedure main() { }",
            "procedure main() { }",
        ),
        # procedures
        (
            """var g: int;
            procedure {:p} Swap<a, b>(x: a, y: b) returns (v: b, w: a); requires x == x; modifies g; ensures v == y;
            implementation Swap<c, d>(x: c, y: d) returns (v: d, w: c) { var l: c; l := x; v, w := y, l; }
            procedure main() modifies g;
            { var i: int; var b: bool; call b, i := Swap(i, b); call b, i := Swap(1, true); }""",
            """var g: int;
            procedure main() modifies g;
            { var i: int; var b: bool; call b, i := Swap#int#bool(i, b); call b, i := Swap#int#bool(1, true); }
            procedure {:p} Swap#int#bool(x: int, y: bool) returns (v: bool, w: int);
            requires x == x; modifies g; ensures v == y;
            implementation Swap#int#bool(x: int, y: bool) returns (v: bool, w: int)
            { var l: int; l := x; v, w := y, l; }""",
        ),
        (
            """procedure P<a>(x: a) { call P(x); }
            procedure main() { call P(1); call P(true); }""",
            """procedure main() { call P#int(1); call P#bool(true); }
            procedure P#int(x: int) { call P#int(x); }
            procedure P#bool(x: bool) { call P#bool(x); }""",
        ),
        # datatypes
        (
            """datatype Option<a> { None(), Some(value: a) }
            procedure main(o: Option int)
            {
              var p: Option int; var i: int;
              assert o is Some ==> o->value == 1;
              p := Some(2);
              p := p->(value := 3);
              p->value := 4;
              p := None();
              Some(i) := p;
              assert (None() : Option bool) is None;
            }""",
            """datatype Option#int { None#int(), Some#int(value: int) }
            datatype Option#bool { None#bool(), Some#bool(value: bool) }
            procedure main(o: Option#int)
            {
              var p: Option#int; var i: int;
              assert o is Some#int ==> o->value == 1;
              p := Some#int(2);
              p := p->(value := 3);
              p->value := 4;
              p := None#int();
              Some#int(i) := p;
              assert None#bool() is None#bool;
            }""",
        ),
        (
            """datatype List<a> { Nil(), Cons(head: a, tail: List a) }
            datatype Tree<a> { Node(children: List (Tree a)) }
            var t: Tree int;""",
            """datatype Tree#int { Node#int(children: List#Tree_int) }
            datatype List#Tree_int { Nil#Tree_int(), Cons#Tree_int(head: Tree#int, tail: List#Tree_int) }
            var t: Tree#int;""",
        ),
        (
            """type {:datatype} Vec _; function {:constructor} Vec<T>(v: [int]T, l: int): Vec T;
            procedure main(x: Vec int) { assert l#Vec(x) == v#Vec(x)[0]; assert is#Vec(x); }""",
            """datatype Vec#int { Vec#int#1(v: [int]int, l: int) }
            procedure main(x: Vec#int) { assert x->l == x->v[0]; assert x is Vec#int#1; }""",
        ),
        # A synonym that cannot be said without polymorphism is written out.
        (
            "datatype Option<a> { None(), Some(value: a) } type Ints = [int](Option int); type I = int; var x: Ints;",
            "type I = int; datatype Option#int { None#int(), Some#int(value: int) } var x: [int]Option#int;",
        ),
        # polymorphic maps
        (
            """type Field a; const unique f: Field int; const unique b: Field bool; var heap: <a>[int, Field a]a;
            procedure main() modifies heap;
            { heap[1, f] := 2; heap := heap[1, b := true]; assert heap[1, f] == 2 && heap[1, b]; }""",
            """type Field a; type PolyMap#rest; const unique f: Field int; const unique b: Field bool;
            datatype PolyMap
            { PolyMap#make(at#int: [int,Field int]int, at#bool: [int,Field bool]bool, rest: PolyMap#rest) }
            var heap: PolyMap;
            procedure main() modifies heap;
            {
              heap->at#int[1, f] := 2;
              heap := heap->(at#bool := heap->at#bool[1, b := true]);
              assert heap->at#int[1, f] == 2 && heap->at#bool[1, b];
            }""",
        ),
        (
            """type Ref; type Heap = <a>[Ref]a; var h: Heap; function good(h: Heap): bool;
            axiom (forall<a> h: Heap, r: Ref, x: a :: good(h) ==> good(h[r := x]));
            procedure main(r: Ref) { var l: <b>[Ref]b; l := h; assert l[r] == 1 && good(l); }""",
            """type Ref; type PolyMap#rest;
            datatype PolyMap { PolyMap#make(at#int: [Ref]int, rest: PolyMap#rest) }
            var h: PolyMap; function good(h: PolyMap): bool;
            axiom (forall h: PolyMap, r: Ref, x: int :: good(h) ==> good(h->(at#int := h->at#int[r := x])));
            procedure main(r: Ref) { var l: PolyMap; l := h; assert l->at#int[r] == 1 && good(l); }""",
        ),
    ],
)
def test_copies(polymorphic: str, monomorphic: str) -> None:
    assert loaded(polymorphic) == loaded(monomorphic)


NEEDS = "polymorphism is supported where finitely many instances suffice"


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        ("function «f<a, a>(x: a): a;", ["a type parameter is declared twice"]),
        ("procedure «P<a, a>(x: a) { }", ["a type parameter is declared twice"]),
        (
            "procedure P<a, b>(x: a, y: b); implementation «P<a, a>(x: a, y: a) { }",
            ["a type parameter is declared twice"],
        ),
        ("type a; function «f<a>(x: a): int;", ["the type parameter 'a' has the name of a declared type"]),
        (
            "function «f<a>(x: int): int; procedure «P<b>();",
            [f"the type parameter '{p}' does not occur in the types of parameters and results" for p in "ab"],
        ),
        (
            "procedure P<a>(x: a); implementation «P(x: int) { }",
            ["the implementation of 'P' has other type parameters than its procedure"],
        ),
        ("procedure P<a>(x: a) { assert «x; }", ["an assertion must be a bool, but is a"]),
        ("function f<a>(x: a, y: a): a; axiom f(1, «true) == 1;", ["argument 2 of 'f' must be an int, but is bool"]),
        ("procedure P<a>(x: a) { var y: a; y := «1; }", ["the value of 'y' must be an a, but is int"]),
        (
            "procedure P<a>(x: a) returns (y: a); procedure main() { var b: bool; call «b := P(1); }",
            ["'b' is bool, but this result of 'P' is int"],
        ),
        # endless instances
        (
            """type Box a; procedure P<a>(x: Box a) { var y: Box (Box a); call «P(y); }
            procedure main(x: Box int) { call P(x); }""",
            [f"'P' is needed for infinitely many types, or for too many of them; {NEEDS}"],
        ),
        (
            """type Box a; function f<a>(x: a): int; function b<a>(x: a): Box a;
            axiom («forall<a> x: a :: f(b(x)) == f(x)); axiom f(1) == 1;""",
            [f"'f' is needed for infinitely many types, or for too many of them; {NEEDS}"],
        ),
        # maps
        ("var m: «<a>[int]int;", ["the type parameter 'a' does not occur in the map type"]),
        ("var m: «<a, a>[a]a;", ["a type parameter is declared twice"]),
        (
            "type F a; var m: <a>[F a]a; axiom true; procedure P() { assert m[«1] == 1; }",
            ["the index must be a F ?, but is int"],
        ),
        (
            "type F a; var m: <a>[F a]a; const f: F int; procedure P() modifies m; { m[f] := «true; }",
            ["the value must be an int, but is bool"],
        ),
        (
            "var m: <a>[a](<b>[b]«a);",
            ["a polymorphic map type inside another cannot use the other's type parameters"],
        ),
        (
            "type M c = <b>[b]c; var m: <a>[a](«M a);",
            ["a polymorphic map type inside another cannot use the other's type parameters"],
        ),
        (
            "function f<b>(m: <a>[a]b): b; var m: <a>[a]a; procedure P() { assert f(«m) == 1; }",
            ["argument 1 of 'f' must be a <a>[a]?, but is <a>[a]a"],
        ),
        (
            "type F a; type H = <a>[F a]a; const «f: F H; procedure main(h: H) { assert h[f] == h; }",
            ["maps of type <a>[F a]a contain each other without end"],
        ),
    ],
)
def test_refused(marked: str, messages: list[str]) -> None:
    check_errors(marked, *messages)
