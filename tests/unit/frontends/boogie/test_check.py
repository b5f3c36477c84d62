"""Declarations and expressions: what they mean in the IR. Errors are in `test_errors.py`."""

from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.build import (
    TRUE,
    and_,
    arith,
    binder,
    bv_lit,
    compare,
    eq,
    implies,
    int_lit,
    ite,
    old,
    or_,
    select,
    store,
)
from paddock.ir.expr import (
    App,
    Attribute,
    Binder,
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
from paddock.ir.program import (
    Axiom,
    Clause,
    Constant,
    Constructor,
    Datatype,
    Function,
    TypeDecl,
    VarDecl,
    global_var,
    local_var,
)
from paddock.ir.stmt import Assert
from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Map, Named, Type, TypeVar
from tests.unit.frontends.boogie.loading import expression, loaded

INT_MAP = Map((INT,), INT)
A, B = local_var("a", BOOL), local_var("b", BOOL)
X, Y, R = local_var("x", INT), local_var("y", INT), local_var("r", REAL)
V, M, N = local_var("v", Bv(8)), local_var("m", INT_MAP), local_var("n", Map((INT, BOOL), INT))
S = local_var("s", STRING)
G = global_var("g", INT)
ZERO, ONE = int_lit(0), int_lit(1)


def bound(name: str, type_: Type = INT) -> Var:
    return Var(name, type_, Scope.BOUND)


def const(name: str, type_: Type = INT) -> Var:
    return Var(name, type_, Scope.CONST)


# --- expressions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("true", TRUE),
        ("!a", App(Op.NOT, (A,), BOOL)),
        ("a && b && a", and_(A, B, A)),
        ("a || b || a", or_(A, B, A)),
        ("a ==> b ==> a", implies(A, implies(B, A))),
        ("a <== b <== a", implies(A, implies(B, A))),
        ("a <==> b", compare(Op.IFF, A, B)),
        ("x == y", eq(X, Y)),
        ("x != y", compare(Op.NE, X, Y)),
        ("x < y <= 0", and_(compare(Op.LT, X, Y), compare(Op.LE, Y, ZERO))),
        ("x > -1", compare(Op.GT, X, int_lit(-1))),
        ("x + y * 2 == 0", eq(arith(Op.ADD, X, arith(Op.MUL, Y, int_lit(2))), ZERO)),
        ("x div y >= x mod y", compare(Op.GE, arith(Op.DIV, X, Y), arith(Op.MOD, X, Y))),
        ("x / y == r", eq(App(Op.RDIV, (X, Y), REAL), R)),
        ("x / r == r / x", eq(App(Op.RDIV, (X, R), REAL), App(Op.RDIV, (R, X), REAL))),
        ("r ** r == 1.5", eq(arith(Op.POW, R, R), Lit(Fraction(3, 2), REAL))),
        ("real(x) == r", eq(App(Op.TO_REAL, (X,), REAL), R)),
        ("int(r) == x", eq(App(Op.TO_INT, (R,), INT), X)),
        ("old(g) == g", eq(old(G), G)),
        ("(if a then x else y) == 0", eq(ite(A, X, Y), ZERO)),
        ("v == 5bv8", eq(V, bv_lit(5, 8))),
        ("v[8:4] == 1bv4", eq(App(Extract(8, 4), (V,), Bv(4)), bv_lit(1, 4))),
        ("v[0:0] == 0bv0", eq(App(Extract(0, 0), (V,), Bv(0)), bv_lit(0, 0))),
        ("v ++ v[1:0] == 0bv9", eq(App(Op.CONCAT, (V, App(Extract(1, 0), (V,), Bv(1))), Bv(9)), bv_lit(0, 9))),
        ("m[x] == 0", eq(select(M, X), ZERO)),
        ("n[x, a] == 0", eq(select(N, X, A), ZERO)),
        ("m[x := 1] == m", eq(store(M, [X], ONE), M)),
        ("n[x, a := 1] == n", eq(store(N, [X, A], ONE), N)),
        ("(x : int) == 0", eq(X, ZERO)),
        ('s == "a"', eq(S, Lit("a", STRING))),
        ("RNE == roundNearestTiesToEven", eq(Lit("RNE", RMODE), Lit("RNE", RMODE))),
        ("0NaN4e4 == 0NaN4e4", eq(Lit(0b0_1111_100, Float(4, 4)), Lit(0b0_1111_100, Float(4, 4)))),
        ("(forall i: int :: i > x)", binder(Quantifier.FORALL, [bound("i")], compare(Op.GT, bound("i"), X))),
        (
            "(exists i, j: int :: i == j)",
            binder(Quantifier.EXISTS, [bound("i"), bound("j")], eq(bound("i"), bound("j"))),
        ),
        ("(lambda i: int :: i)[x] == x", eq(select(binder(Quantifier.LAMBDA, [bound("i")], bound("i")), X), X)),
        (
            "(var i, c := x, a; c) == a",
            eq(Let((bound("i"), bound("c", BOOL)), (X, A), (), bound("c", BOOL), BOOL), A),
        ),
    ],
)
def test_expression(text: str, meaning: Expr) -> None:
    assert expression(text) is meaning


def test_quantifier_with_attributes_and_triggers() -> None:
    i, f = bound("i"), Fn("f")
    call = App(f, (i,), INT)
    nested = App(f, (call,), INT)
    text = '(forall {:b x} i: int :: {:qid "q"} {f(i)} {:weight i} {f(f(i)), f(i)} {:nopats i} f(i) > 0)'
    assert expression(text, "function f(int): int;") is Binder(
        Quantifier.FORALL,
        (i,),
        ((Attribute("b", (X,)),),),
        (Attribute("qid", ("q",)), Attribute("weight", (i,))),
        (Trigger((call,)), Trigger((nested, call)), Trigger((i,), positive=False)),
        compare(Op.GT, call, ZERO),
        BOOL,
    )


COLORS = "datatype Color { Red(), Green(shade: int), Blue(shade: int, deep: bool) } var c: Color;"
OLD_COLORS = """
type {:datatype} Color;
function {:constructor} Red(): Color;
function {:constructor} Green(shade: int): Color;
function {:constructor} Blue(tint: int, deep: bool): Color;
var c: Color;"""
COLOR = Named("Color", ())
C = global_var("c", COLOR)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("c is Green", App(Is("Green"), (C,), BOOL)),
        ("is#Green(c)", App(Is("Green"), (C,), BOOL)),
        ("c->shade == 0", eq(App(GetField("shade"), (C,), INT), ZERO)),
        ("shade#Green(c) == 0", eq(App(GetField("shade"), (C,), INT), ZERO)),
        ("c == Blue(x, a)", eq(C, App(Construct("Blue"), (X, A), COLOR))),
        ("c->(shade := 1) == Red()", eq(App(SetField("shade"), (C, ONE), COLOR), App(Construct("Red"), (), COLOR))),
    ],
)
@pytest.mark.parametrize("declaration", [COLORS, OLD_COLORS])
def test_datatype_expression(text: str, meaning: Expr, declaration: str) -> None:
    assert expression(text, declaration) is meaning


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        # A local is hidden by a bound variable, and that by another: each gets a name of its own.
        ("(forall x: int :: (exists x: int :: x == x))", "(forall x#1: int :: (exists x#2: int :: x#2 == x#2))"),
        ("(var x := x; x == x)", "(var x#1 := x; x#1 == x#1)"),
        # Beside each other they need not differ.
        (
            "(forall x: int :: x > 0) && (forall x: int :: x > 1)",
            "(forall x#1: int :: x#1 > 0) && (forall x#1: int :: x#1 > 1)",
        ),
        # Nor do global variables and functions stand in the way.
        ("(forall g: int, i: int :: f(g) == i)", "(forall g: int, i: int :: f(g) == i)"),
        ("(forall f: int :: f(f) == x)", "(forall f: int :: f(f) == x)"),
        ("(forall x#1: int :: (forall x: int :: x == x#1))", "(forall x#1: int :: (forall x#2: int :: x#2 == x#1))"),
    ],
)
def test_bound_variables_hide_no_local_or_bound_ones(text: str, printed: str) -> None:
    assert str(expression(text, "function f(int): int;")) == printed


def test_renamed_bound_variable_hides_no_global() -> None:
    text = "(forall x: int :: x == x#1)"
    assert str(expression(text, "var x#1: int;")) == "(forall x#2: int :: x#2 == x#1)"


# --- types, constants, functions, axioms, variables ------------------------------------------------


def test_types() -> None:
    program = loaded(
        """
        type T;
        type finite U, Pair a b;
        type {:note 1} Row = [int]int;
        type Table key = [key]Row;
        var x: Table (Pair T [int]U);
        var y: [bool,int][bv3]float11e5;
        """
    )
    pair = Named("Pair", (Named("T", ()), Map((INT,), Named("U", ()))))
    assert program.types == (
        TypeDecl("T"),
        TypeDecl("U"),
        TypeDecl("Pair", ("a", "b")),
        TypeDecl("Row", (), INT_MAP, (Attribute("note", (ONE,)),)),
        TypeDecl("Table", ("key",), Map((TypeVar("key"),), INT_MAP)),
    )
    assert [g.var.type for g in program.globals] == [
        Map((pair,), INT_MAP),
        Map((BOOL, INT), Map((Bv(3),), Float(11, 5))),
    ]


def test_built_in_names_can_be_declared() -> None:
    program = loaded("type string; type regex; const c: string;")
    assert program.constants[0].var.type is Named("string", ())


def test_datatypes() -> None:
    expected = Datatype(
        "Color",
        (
            Constructor("Red"),
            Constructor("Green", (VarDecl(bound("shade")),)),
            Constructor("Blue", (VarDecl(bound("shade")), VarDecl(bound("deep", BOOL)))),
        ),
    )
    assert loaded(COLORS).datatypes == (expected,)
    assert loaded(OLD_COLORS) == loaded(COLORS.replace("Blue(shade", "Blue(tint"))


def test_mutually_recursive_datatypes() -> None:
    program = loaded("datatype Even { Zero(), AfterOdd(o: Odd) } datatype Odd { AfterEven(e: Even) }")
    assert [d.name for d in program.datatypes] == ["Even", "Odd"]


def test_fields_of_old_constructors_without_names() -> None:
    program = loaded("type {:datatype} D; function {:constructor} C(int, bool): D;")
    assert [f.name for f in program.datatypes[0].constructors[0].fields] == ["field0", "field1"]


def test_constants_and_axioms() -> None:
    program = loaded("const {:a} c, d: int; const unique e: bool; axiom {:b c} c < d;")
    c, d = const("c"), const("d")
    attributes = (Attribute("a"),)
    assert program.constants == (
        Constant(c, False, attributes),
        Constant(d, False, attributes),
        Constant(const("e", BOOL), True),
    )
    assert program.axioms == (Axiom(compare(Op.LT, c, d), (Attribute("b", (c,)),)),)


def test_functions() -> None:
    program = loaded(
        """
        function f(int, {:p} bool): real;
        function {:inline} g(x, y: int, z: bool) returns (r: int) { if z then x else h() + y }
        function {:builtin "f"} h(): int;
        function {:a x} k(x: int): int;
        """
    )
    x, y, z = bound("x"), bound("y"), bound("z", BOOL)
    body = ite(z, x, arith(Op.ADD, App(Fn("h"), (), INT), y))
    assert program.functions == (
        Function("f", (VarDecl(bound("")), VarDecl(bound("", BOOL), None, (Attribute("p"),))), REAL),
        Function("g", (VarDecl(x), VarDecl(y), VarDecl(z)), INT, body, (Attribute("inline"),)),
        Function("h", (), INT, None, (Attribute("builtin", ("f",)),)),
        Function("k", (VarDecl(x),), INT, None, (Attribute("a", (x,)),)),
    )


def test_globals_are_used_before_they_are_declared() -> None:
    program = loaded("var x: int where x < y; var {:a} y: int;")
    x, y = global_var("x", INT), global_var("y", INT)
    assert program.globals == (VarDecl(x, compare(Op.LT, x, y)), VarDecl(y, None, (Attribute("a"),)))


def test_kinds_of_things_have_names_of_their_own() -> None:
    program = loaded("type x; function x(x: x): x; var x: x; procedure y(x: x) { assert x(x) == x; }")
    assert [*program.top_level_names()] == ["x", "x", "x", "y"]


def test_several_sources_are_one_program() -> None:
    program = load([Source("procedure main() { call P(c); }", "a"), Source("const c: int; procedure P(x: int);", "b")])
    assert [p.origin.file for p in program.procedures] == ["a", "b"]


# --- procedures ----------------------------------------------------------------------------------


def test_contract() -> None:
    program = loaded(
        """
        var g: int;
        procedure {:a} P({:p 1} x: int where x > 0) returns (y: int where y > x);
          requires {:r} x > g;
          free requires x != 3;
          modifies g;
          free ensures y == old(g);
          ensures {:e} g == y;
          modifies g;
        """
    )
    x, y, g = local_var("x", INT), local_var("y", INT), global_var("g", INT)
    (procedure,) = program.procedures
    assert procedure.attributes == (Attribute("a"),)
    assert procedure.params == (VarDecl(x, compare(Op.GT, x, ZERO), (Attribute("p", (ONE,)),)),)
    assert procedure.results == (VarDecl(y, compare(Op.GT, y, x)),)
    assert procedure.requires == (
        Clause(compare(Op.GT, x, g), False, (Attribute("r"),)),
        Clause(compare(Op.NE, x, int_lit(3)), True),
    )
    assert procedure.ensures == (Clause(eq(y, old(g)), True), Clause(eq(g, y), False, (Attribute("e"),)))
    assert procedure.modifies == (g,)
    assert procedure.implementations == ()


def test_attributes_of_a_procedure_with_a_body_are_those_of_its_implementation_too() -> None:
    (procedure,) = loaded("procedure {:inline 1} P() { }").procedures
    assert procedure.attributes == (Attribute("inline", (ONE,)),)
    assert procedure.implementations[0].attributes == procedure.attributes


def test_several_implementations() -> None:
    text = """
        implementation {:first} P(a: int) returns (b: int) { b := a; }
        procedure P(x: int) returns (y: int);
        implementation P(y: int) returns (x: int) { var a: int; a := y; x := a; }
        """
    assert loaded(text) == loaded(
        """
        procedure P(x: int) returns (y: int);
        implementation {:first} P(x: int) returns (y: int) { y := x; }
        implementation P(x: int) returns (y: int) { var a: int; a := x; y := a; }
        """
    )


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (
            "procedure P(x: int); implementation P(y: int) { var x: int; x := y; }",
            "procedure P(x: int); implementation P(x: int) { var x#1: int; x#1 := x; }",
        ),
        (
            "procedure P(x: int); implementation P(y: int) { assert (forall x: int :: x > y); }",
            "procedure P(x: int); implementation P(x: int) { assert (forall x#1: int :: x#1 > x); }",
        ),
        (
            "var g: int; procedure P(g: int); requires g > 0; implementation P(x: int) { assert g == x; }",
            "var g: int; procedure P(g#1: int); requires g#1 > 0; implementation P(g#1: int) { assert g == g#1; }",
        ),
        (
            "var x#1: int; procedure P(x: int); implementation P(y: int) { var x: int; x := y + x#1; }",
            "var x#1: int; procedure P(x: int); implementation P(x: int) { var x#2: int; x#2 := x + x#1; }",
        ),
    ],
)
def test_other_names_of_formals_capture_nothing(text: str, same: str) -> None:
    assert loaded(text) == loaded(same)


def test_origins() -> None:
    program = load([Source("const c: int;\n\nprocedure main()\n{\n  assert\n    true;\n}\n", "file.bpl")])
    assert str(program.constants[0].origin) == "file.bpl:1:7"
    (procedure,) = program.procedures
    assert str(procedure.origin) == "file.bpl:3:11"
    (block,) = procedure.implementations[0].blocks
    assert [str(s.origin) for s in block.statements] == ["file.bpl:5:3"]
    assert isinstance(block.statements[0], Assert)
    assert str(block.transfer.origin) == "file.bpl:7:1"
