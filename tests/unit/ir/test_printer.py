"""The printer: minimal parentheses, every construct, and text that reads back as the same program."""

from __future__ import annotations

import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.build import (
    and_,
    arith,
    binder,
    bv_lit,
    compare,
    eq,
    implies,
    int_lit,
    ite,
    neg,
    not_,
    old,
    or_,
    real_lit,
    select,
    store,
)
from paddock.ir.expr import (
    App,
    Attribute,
    Construct,
    Expr,
    Extract,
    Fn,
    GetField,
    Is,
    Let,
    Lit,
    Op,
    Quantifier,
    Scope,
    SetField,
    Trigger,
    Var,
)
from paddock.ir.printer import expr_text, procedure_text, program_text, short_text, statement_text, type_text
from paddock.ir.program import Function, Procedure, Program, VarDecl
from paddock.ir.stmt import Assert, Assign, Assume, Call, Goto, Havoc, ParCall, Return, Statement, Transfer, Yield
from paddock.ir.types import BOOL, INT, REAL, Bv, Float, Map, Named, Type, TypeVar
from paddock.ir.validate import check_valid

A, B, C = (Var(name, INT, Scope.LOCAL) for name in "abc")
P, Q, R = (Var(name, BOOL, Scope.LOCAL) for name in "pqr")
U, V = (Var(name, REAL, Scope.LOCAL) for name in "uv")
M = Var("m", Map((INT, BOOL), INT), Scope.LOCAL)
N = Var("n", Map((), INT), Scope.LOCAL)
W = Var("w", Bv(8), Scope.LOCAL)
F = Var("f", Float(24, 8), Scope.LOCAL)
L = Var("l", Named("List", ()), Scope.LOCAL)
X, Y = (Var(name, INT, Scope.BOUND) for name in "xy")
HALF = Lit(0x3F000000, Float(24, 8))
MINUS_HALF = Lit(0xBF000000, Float(24, 8))


def iff(a: Expr, b: Expr) -> Expr:
    return App(Op.IFF, (a, b), BOOL)


def less(a: Expr, b: Expr) -> Expr:
    return compare(Op.LT, a, b)


def add(a: Expr, b: Expr) -> Expr:
    return arith(Op.ADD, a, b)


def sub(a: Expr, b: Expr) -> Expr:
    return arith(Op.SUB, a, b)


def mul(a: Expr, b: Expr) -> Expr:
    return arith(Op.MUL, a, b)


def power(a: Expr, b: Expr) -> Expr:
    return arith(Op.POW, a, b)


def concat(a: Expr, b: Expr) -> Expr:
    assert isinstance(a.type, Bv)
    assert isinstance(b.type, Bv)
    return App(Op.CONCAT, (a, b), Bv(a.type.width + b.type.width))


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (iff(iff(P, Q), R), "p <==> q <==> r"),
        (iff(P, iff(Q, R)), "p <==> (q <==> r)"),
        (implies(P, implies(Q, R)), "p ==> q ==> r"),
        (implies(implies(P, Q), R), "(p ==> q) ==> r"),
        (iff(implies(P, Q), R), "p ==> q <==> r"),
        (implies(iff(P, Q), R), "(p <==> q) ==> r"),
        (implies(and_(P, Q), or_(P, Q)), "p && q ==> p || q"),
        (and_(and_(P, Q), R), "p && q && r"),
        (and_(P, and_(Q, R)), "p && (q && r)"),
        (and_(or_(P, Q), R), "(p || q) && r"),
        (or_(and_(P, Q), R), "(p && q) || r"),
        (or_(P, and_(Q, R)), "p || (q && r)"),
        (and_(implies(P, Q), R), "(p ==> q) && r"),
        (eq(less(A, B), R), "(a < b) == r"),
        (eq(R, less(A, B)), "r == (a < b)"),
        (and_(less(A, B), less(B, C)), "a < b && b < c"),
        (eq(and_(P, Q), R), "(p && q) == r"),
        (not_(not_(P)), "!!p"),
        (not_(eq(A, B)), "!(a == b)"),
        (eq(not_(P), Q), "!p == q"),
        (sub(sub(A, B), C), "a - b - c"),
        (sub(A, sub(B, C)), "a - (b - c)"),
        (sub(A, add(B, C)), "a - (b + c)"),
        (mul(add(A, B), C), "(a + b) * c"),
        (add(A, mul(B, C)), "a + b * c"),
        (arith(Op.DIV, A, arith(Op.MOD, B, C)), "a div (b mod c)"),
        (arith(Op.MOD, arith(Op.DIV, A, B), C), "a div b mod c"),
        (arith(Op.RDIV, U, V), "u / v"),
        (power(U, power(V, U)), "u ** v ** u"),
        (power(power(U, V), U), "(u ** v) ** u"),
        (power(neg(U), neg(V)), "(-u) ** -v"),
        (neg(power(U, V)), "-(u ** v)"),
        (neg(neg(A)), "-(-a)"),
        (sub(A, neg(B)), "a - -b"),
        (mul(neg(A), int_lit(-3)), "-a * -3"),
        (neg(add(A, B)), "-(a + b)"),
        (neg(HALF), "-(0x8.0e-1f24e8)"),
        (neg(MINUS_HALF), "-(-0x8.0e-1f24e8)"),
        (sub(F, MINUS_HALF), "f - -0x8.0e-1f24e8"),
        (concat(concat(W, W), W), "w ++ w ++ w"),
        (concat(W, concat(W, W)), "w ++ (w ++ w)"),
        (App(Extract(4, 2), (W,), Bv(2)), "w[4:2]"),
        (App(Extract(9, 2), (concat(W, W),), Bv(7)), "(w ++ w)[9:2]"),
        (eq(App(Extract(1, 0), (bv_lit(3, 8),), Bv(1)), bv_lit(1, 1)), "3bv8[1:0] == 1bv1"),
        (select(M, add(A, B), implies(P, Q)), "m[a + b, p ==> q]"),
        (select(store(M, [A, P], B), A, P), "m[a, p := b][a, p]"),
        (select(N), "n[]"),
        (store(N, [], A), "n[ := a]"),
        (select(ite(P, M, M), A, P), "(if p then m else m)[a, p]"),
        (add(ite(P, A, B), C), "(if p then a else b) + c"),
        (old(select(M, A, P)), "old(m[a, p])"),
        (App(Op.TO_REAL, (add(A, B),), REAL), "real(a + b)"),
        (App(Op.TO_INT, (U,), INT), "int(u)"),
        (App(Fn("f"), (A, add(A, B)), INT), "f(a, a + b)"),
        (App(Fn("old"), (), INT), "\\old()"),
        (App(Construct("Cons"), (A, L), L.type), "Cons(a, l)"),
        (not_(App(Is("Cons"), (L,), BOOL)), "!(l is Cons)"),
        (eq(App(Is("Cons"), (L,), BOOL), P), "l is Cons == p"),
        (App(GetField("tail"), (App(GetField("tail"), (L,), L.type),), L.type), "l->tail->tail"),
        (App(GetField("tail"), (ite(P, L, L),), L.type), "(if p then l else l)->tail"),
        (App(SetField("head"), (L, add(A, B)), L.type), "l->(head := a + b)"),
        (Var("assert", INT, Scope.LOCAL), "\\assert"),
        (binder(Quantifier.FORALL, [X, Y], implies(P, eq(X, Y))), "(forall x: int, y: int :: p ==> x == y)"),
        (not_(binder(Quantifier.EXISTS, [X], P)), "!(exists x: int :: p)"),
        (select(binder(Quantifier.LAMBDA, [X], X), A), "(lambda x: int :: x)[a]"),
        (Let((X, Y), (A, B), (Attribute("k"),), eq(X, Y), BOOL), "(var x, y := a, b; {:k} x == y)"),
    ],
    ids=str,
)
def test_expressions(expr: Expr, text: str) -> None:
    assert expr_text(expr) == text
    assert str(expr) == text


def test_quantifiers_with_attributes_and_triggers() -> None:
    f = App(Fn("f"), (X,), INT)
    expr = binder(
        Quantifier.FORALL,
        [X],
        eq(f, A),
        [Trigger((f, App(Fn("g"), (X,), INT))), Trigger((X,), positive=False)],
        (Attribute("weight", (int_lit(3), "text")),),
    )
    assert expr_text(expr) == '(forall x: int :: {:weight 3, "text"} { f(x), g(x) } {:nopats x} f(x) == a)'


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (Map((INT, Map((BOOL,), REAL)), Map((), Bv(3))), "[int,[bool]real][]bv3"),
        (
            Named("C", (INT, Named("D", ()), Named("C", (INT, BOOL)), Map((INT,), INT))),
            "C int D (C int bool) ([int]int)",
        ),
        (Map((Named("C", (INT, INT)),), Named("C", (INT, INT))), "[C int int]C int int"),
        (Float(53, 11), "float53e11"),
        (Map((TypeVar("a"),), Named("type", ())), "[a]\\type"),
    ],
    ids=str,
)
def test_types(type_: Type, text: str) -> None:
    assert type_text(type_) == text


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Assume(P, (Attribute("a"), Attribute("b", ("x", A)))), 'assume {:a} {:b "x", a} p;'),
        (Assert(and_(P, Q)), "assert p && q;"),
        (Assign((A, B), (B, add(A, B)), (Attribute("k"),)), "a, b := {:k} b, a + b;"),
        (Havoc((A, Var("goto", INT, Scope.LOCAL))), "havoc a, \\goto;"),
        (Call("f", ()), "call f();"),
        (
            Call("f", (add(A, B), P), (A, P), free=True, attributes=(Attribute("k"),)),
            "free call {:k} a, p := f(a + b, p);",
        ),
        (Call("f", (A,), asynchronous=True), "async call f(a);"),
        (ParCall((Call("f", (A,)), Call("g", (), (B,)))), "par f(a) | b := g();"),
        (Yield(), "yield;"),
        (Yield((Attribute("k", ("x",)), Attribute("l"))), 'yield {:k "x"} {:l};'),
        (Goto(("one", "if"), (Attribute("k"),)), "goto {:k} one, \\if;"),
        (Return(), "return;"),
        (Return((Attribute("k"),)), "return {:k};"),
    ],
    ids=str,
)
def test_statements(statement: Statement | Transfer, text: str) -> None:
    assert statement_text(statement) == text


PROGRAM = """\
type T;
type Pair a b;
type {:note} Flags = [int]Pair int (Pair bool T);

datatype {:d} List {
  Nil(),
  Cons({:first} head: int, tail: List)
}

const {:c "x"} unique one: int;
const t: T;

function f(int, bool): int;
function {:inline} g({:k} x: int): bool
{
  x > 0
}

axiom {:ax} (forall x: int :: { g(x) } g(x) ==> f(x, true) == x);

var {:shared} \\var: int where \\var >= 0;
var list: List;

procedure {:p} Push({:in} x: int where x > 0) returns ({:out} y: int where y > x);
  free requires {:r} x > 1;
  requires x < 10;
  modifies \\var, list;
  ensures {:e} \\var == old(\\var) + 1;

implementation {:entrypoint} Push(x: int) returns (y: int)
{
  var {:v} i: int where i >= x;
  var j: int;

  start:
    i, j := j, i;
    list := Cons(x, list);
    goto again, done;

  again:
    assume {:partition} i < j;
    havoc \\var, i;
    call {:c} y := Push(i);
    goto start;

  done:
    assert {:msg "empty"} !(list is Nil) && list->head == x;
    return;
}

implementation Push(x: int) returns (y: int)
{
  only:
    return;
}

procedure Nothing();
"""


def test_a_whole_program_reads_back_as_it_was_printed() -> None:
    program = load([Source(PROGRAM)])
    assert program_text(program) == PROGRAM
    check_valid(program)


def test_a_procedure_alone() -> None:
    program = load([Source(PROGRAM)])
    texts = [procedure_text(p) for p in program.procedures]
    assert PROGRAM.endswith("\n".join(texts))


def test_an_empty_program() -> None:
    assert program_text(Program()) == ""


def test_a_program_of_procedures_only_has_no_blank_line_in_front() -> None:
    assert program_text(Program(procedures=(Procedure("P"), Procedure("Q")))) == "procedure P();\n\nprocedure Q();\n"


def test_anonymous_parameters_stay_anonymous() -> None:
    function = Function("f", tuple(VarDecl(Var("", t, Scope.BOUND)) for t in (INT, Map((INT,), BOOL))), INT)
    assert program_text(Program(functions=(function,))) == "function f(int, [int]bool): int;\n"


def test_depth_is_no_limit() -> None:
    conjunction = and_(*[P] * 5_000)
    assert expr_text(conjunction) == " && ".join(["p"] * 5_000)
    nested: Expr = P
    type_: Type = INT
    for _ in range(5_000):
        nested = not_(and_(Q, nested))
        type_ = Map((INT,), type_)
    assert expr_text(nested).count("(") == 5_000
    assert type_text(type_) == "[int]" * 5_000 + "int"


def test_short_texts_of_terms_with_much_sharing() -> None:
    term: Expr = A
    for _ in range(200):
        term = add(term, mul(term, term))
    assert short_text(term, 20) == ("a + a * a + (a + a * a) * (a + a * a)"[:20] + "…")
    assert short_text(A) == "a"
    assert len(repr(term)) < 250


def test_real_literals_round_trip() -> None:
    text = f"const r: real;\n\naxiom r == {real_lit(Fraction(3, 8))};\n"
    assert program_text(load([Source(text)])) == text


@pytest.mark.skipif(shutil.which("boogie") is None, reason="needs the program boogie")
def test_boogie_reads_what_is_printed(tmp_path: Path) -> None:
    # Boogie 2.4, which distributions ship, has no `datatype` declarations yet.
    without_datatypes = (
        PROGRAM.replace("\ndatatype {:d} List {\n  Nil(),\n  Cons({:first} head: int, tail: List)\n}\n", "type List;\n")
        .replace("Cons(x, list)", "list")
        .replace("!(list is Nil) && list->head == x", ODD_EXPRESSION)
    )
    program = load([Source(without_datatypes)])
    assert program_text(program) == without_datatypes
    file = tmp_path / "printed.bpl"
    file.write_text(program_text(program))
    answer = subprocess.run(["boogie", "/noVerify", str(file)], capture_output=True, text=True, check=False)
    assert "0 errors" in answer.stdout, answer.stdout


ODD_EXPRESSION = (
    "(x - (x - -x)) * -(-1) div 2 == x ==> (x == 1) == (j < i) || (3bv8[2:0] ++ (1bv1 ++ 0bv1) == 1bv4 && "
    "!(1.5 ** (-2.0) ** 3.0 == 0.25)) ==> (var m := (lambda k: int :: k)[2 := x]; m[1] == m[2])"
)
