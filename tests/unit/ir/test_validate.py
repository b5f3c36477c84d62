"""The validator finds each kind of mistake, says where it is, and has nothing to say of good programs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.build import TRUE, and_, arith, binder, eq, int_lit, not_, old, real_lit, select
from paddock.ir.expr import App, Attribute, Binder, Expr, Fn, Let, Lit, Op, Quantifier, Scope, Trigger, Var
from paddock.ir.origin import Origin
from paddock.ir.program import (
    Axiom,
    Clause,
    Constant,
    Constructor,
    Datatype,
    Function,
    Implementation,
    Procedure,
    Program,
    TypeDecl,
    VarDecl,
)
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, ParCall, Return, Statement, Yield
from paddock.ir.types import BOOL, INT, STRING, Bv, Float, Map, Named, Type, TypeVar
from paddock.ir.validate import check_valid, validate

BASE = load(
    [
        Source("""
            type T; type Pair a b; type Flags = [int]bool;
            datatype List { Nil(), Cons(head: int, tail: List) }
            const c: int;
            function f(x: int): int { x + c }
            axiom (forall i: int :: { f(i) } f(i) > i);
            var g: int where g > c;
            var h: [int]int;
            procedure p(x: int where x > 0) returns (y: int where y > x);
              requires x > c;
              modifies g;
              ensures y == old(g);
            implementation p(x: int) returns (y: int)
            {
              var i: int where i > x;
              entry: i, g := g, i; havoc g, y; call y := q(i, i > 0); goto entry, done;
              done: assert (forall k: int :: k == old(g)); return;
            }
            procedure q(n: int, b: bool) returns (r: int);
              modifies g;
        """)
    ]
)
C, F = Var("c", INT, Scope.CONST), Fn("f")
G, H = Var("g", INT, Scope.GLOBAL), Var("h", Map((INT,), INT), Scope.GLOBAL)
X, Y, I = (Var(name, INT, Scope.LOCAL) for name in "xyi")  # noqa: E741
K = Var("k", INT, Scope.BOUND)
ONE = int_lit(1)
P = BASE.procedure_named["p"]
BODY = P.implementations[0]


def messages(program: Program) -> list[str]:
    return [p.message for p in validate(program)]


def with_procedure(procedure: Procedure) -> Program:
    return replace(BASE, procedures=tuple(procedure if p.name == procedure.name else p for p in BASE.procedures))


def with_statement(*statements: Statement) -> Program:
    first, *rest = BODY.blocks
    blocks = (replace(first, statements=(*first.statements, *statements)), *rest)
    return with_procedure(replace(P, implementations=(replace(BODY, blocks=blocks),)))


def with_body(**changes: object) -> Program:
    return with_procedure(replace(P, implementations=(replace(BODY, **changes),)))  # type: ignore[arg-type]


def with_condition(condition: Expr) -> Program:
    return with_statement(Assume(condition))


def check(program: Program, *expected: str) -> None:
    """The program has exactly these problems, each given by a part of its message."""
    found = messages(program)
    assert len(found) == len(expected), found
    for message, part in zip(found, expected, strict=True):
        assert part in message


def local(name: str, type_: Type = INT) -> VarDecl:
    return VarDecl(Var(name, type_, Scope.LOCAL))


def bound(name: str, type_: Type = INT) -> VarDecl:
    return VarDecl(Var(name, type_, Scope.BOUND))


def test_a_good_program_is_valid() -> None:
    assert messages(BASE) == []
    assert check_valid(BASE) is BASE


def test_check_valid_says_everything() -> None:
    program = with_statement(Assume(ONE), Havoc(()))
    with pytest.raises(ValueError, match=r"(?s)the assumption '1' is not a bool.*changes no variable"):
        check_valid(program)


def test_problems_have_a_place() -> None:
    origin = Origin("a.bpl", 7, 3)
    (problem,) = validate(with_statement(Assume(ONE, origin=origin)))
    assert problem.origin == origin
    assert problem.message.startswith("procedure 'p', block 'entry': ")


# --- declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"types": (TypeDecl("T"), TypeDecl("List"))}, "the type 'List' is declared twice"),
        ({"constants": (Constant(C), Constant(replace(C, name="g")))}, "variable or constant 'g' is declared twice"),
        (
            {"functions": (*BASE.functions, Function("Nil", (), INT))},
            "the function or procedure 'Nil' is declared twice",
        ),
        ({"procedures": (*BASE.procedures, Procedure("p"))}, "the function or procedure 'p' is declared twice"),
        ({"procedures": (*BASE.procedures, Procedure("a b"))}, "the name 'a b' cannot be written in Boogie"),
        ({"types": (TypeDecl("S", ("a", "a"), INT),)}, "the type parameter 'a' is declared twice"),
        ({"types": (TypeDecl("S", ("a",), TypeVar("b")),)}, "the type parameter 'b' is not bound"),
        ({"types": (TypeDecl("T"), TypeDecl("S", ("T",), Named("T", ())))}, "hidden by the type parameter"),
        ({"types": (TypeDecl("S", (), Named("U", ())),)}, "the type 'U' is not declared"),
        (
            {"types": (TypeDecl("Pair", ("a", "b")), TypeDecl("S", (), Named("Pair", (INT,))))},
            "takes 2 arguments, not 1",
        ),
        ({"types": (TypeDecl("A", (), INT), TypeDecl("B", (), Named("A", ())))}, "synonym 'A' is not written out"),
        ({"types": (TypeDecl("bv7"), TypeDecl("S", (), Bv(7)))}, "the type bv7 is hidden by a declared type"),
        ({"types": (TypeDecl("S", (), Float(1, 8)),)}, "needs at least two bits"),
        ({"types": (TypeDecl("S", (), Bv(-1)),)}, "negative width"),
        ({"datatypes": (*BASE.datatypes, Datatype("E", ()))}, "it has no constructor"),
        (
            {"datatypes": (*BASE.datatypes, Datatype("E", (Constructor("D", (bound("a"), bound("a"))),)))},
            "the field 'a' is declared twice",
        ),
        (
            {
                "datatypes": (
                    *BASE.datatypes,
                    Datatype("E", (Constructor("D", (bound("a"),)), Constructor("E", (bound("a", BOOL),)))),
                )
            },
            "the field 'a' has different types",
        ),
        (
            {"datatypes": (*BASE.datatypes, Datatype("E", (Constructor("D", (replace(bound("a"), where=TRUE),)),)))},
            "cannot have a 'where' clause",
        ),
        ({"constants": (Constant(C), Constant(Var("d", INT, Scope.LOCAL)))}, "scope 'local' instead of 'const'"),
        ({"globals": (*BASE.globals, VarDecl(Var("d", INT, Scope.BOUND)))}, "scope 'bound' instead of 'global'"),
        ({"globals": (*BASE.globals, VarDecl(Var("d", Named("U", ()), Scope.GLOBAL)))}, "type 'U' is not declared"),
        ({"globals": (VarDecl(G, eq(G, old(G))), VarDecl(H))}, "stands where there is no old state"),
        ({"globals": (VarDecl(G, G), VarDecl(H))}, "the 'where' clause 'g' is not a bool but a int"),
        ({"axioms": (Axiom(ONE),)}, "the axiom '1' is not a bool"),
        ({"axioms": (Axiom(eq(G, ONE)),)}, "the global variable 'g' cannot be used here"),
        ({"axioms": (Axiom(eq(old(C), ONE)),)}, "stands where there is no old state"),
        ({"axioms": (Axiom(TRUE, (Attribute("a", ('"',)),)),)}, "cannot be written"),
        ({"axioms": (Axiom(TRUE, (Attribute("a", (Lit("s", STRING),)),)),)}, "must be plain"),
        ({"axioms": (Axiom(TRUE, (Attribute("", ()),)),)}, "the name '' cannot be written"),
        ({"axioms": (Axiom(TRUE, (Attribute("a", (X,)),)),)}, "the local variable 'x' is not declared here"),
    ],
)
def test_declarations(changes: dict[str, object], expected: str) -> None:
    check(replace(BASE, **changes), expected)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (Function("n", (bound("a"), bound("a")), INT), "the parameter 'a' is declared twice"),
        (Function("n", (bound("a"), bound("")), INT), "some parameters have names and some have none"),
        (Function("n", (local("a"),), INT), "scope 'local' instead of 'bound'"),
        (Function("n", (replace(bound("a"), where=TRUE),), INT), "cannot have a 'where' clause"),
        (Function("n", (), INT, TRUE), "the body is a bool, but the result should be a int"),
        (Function("n", (), INT, G), "the global variable 'g' cannot be used here"),
        (Function("n", (), INT, K), "the bound variable 'k' is not declared here"),
        (Function("n", (bound("k", BOOL),), INT, K), "used as int, but is declared as bool"),
        (Function("n", (bound("c"),), INT, C), "the constant 'c' is hidden by the bound variable"),
        (Function("n", (), Named("U", ())), "the type 'U' is not declared"),
    ],
)
def test_functions(function: Function, expected: str) -> None:
    check(replace(BASE, functions=(*BASE.functions, function)), expected)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"params": (P.params[0], bound("z"))}, "scope 'bound' instead of 'local'"),
        ({"params": (replace(P.params[0], where=eq(Y, ONE)),)}, "the local variable 'y' is not declared here"),
        ({"results": (replace(P.results[0], where=eq(old(Y), ONE)),)}, "no old state"),
        ({"requires": (Clause(eq(Y, ONE)),)}, "the local variable 'y' is not declared here"),
        ({"requires": (Clause(eq(old(G), ONE)),)}, "no old state"),
        ({"requires": (Clause(X),)}, "the precondition 'x' is not a bool"),
        ({"ensures": (Clause(X),)}, "the postcondition 'x' is not a bool"),
        ({"ensures": (Clause(eq(I, ONE)),)}, "the local variable 'i' is not declared here"),
        ({"ensures": (Clause(TRUE, attributes=(Attribute("a", (I,)),)),)}, "local variable 'i' is not declared"),
        ({"modifies": (G, G)}, "the modified variable 'g' is declared twice"),
        ({"modifies": (G, C)}, "modifies 'c', which is not a global variable"),
        ({"modifies": (G, replace(G, name="z"))}, "modifies 'z', which is not a global variable"),
        ({"attributes": (Attribute("a", (I,)),)}, "the local variable 'i' is not declared here"),
    ],
)
def test_contracts(changes: dict[str, object], expected: str) -> None:
    check(with_procedure(replace(P, **changes)), expected)  # type: ignore[arg-type]


def test_effects_outside_of_the_modifies_clause() -> None:
    check(
        with_procedure(replace(P, modifies=())),
        "the global variable 'g' is changed, but not in the 'modifies' clause",
        "the global variable 'g' is changed, but not in the 'modifies' clause",
        "the called procedure 'q' changes the global variable 'g', which is not in the 'modifies' clause",
    )


def test_formals_are_distinct() -> None:
    program = with_procedure(replace(P, results=(P.results[0], local("x")), implementations=()))
    # The call of `p`, if there were one, would also be wrong; there is none.
    check(program, "the parameter or result 'x' is declared twice")


# --- bodies --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"locals": (*BODY.locals, local("y"))}, "the local variable 'y' is declared twice"),
        ({"locals": (*BODY.locals, VarDecl(replace(G, name="z")))}, "scope 'global' instead of 'local'"),
        ({"locals": (*BODY.locals, replace(local("z"), where=eq(old(G), ONE)))}, "no old state"),
        ({"blocks": ()}, "the body has no block"),
        ({"blocks": (Block("a", (), Return()), Block("a", (), Return()))}, "the label 'a' is declared twice"),
        ({"blocks": (Block("1", (), Return()),)}, "the name '1' cannot be written"),
        ({"blocks": (Block("a", (), Goto(("b",))),)}, "there is no block 'b' to go to"),
        ({"blocks": (Block("a", (), Goto(())),)}, "a 'goto' has no target"),
        ({"blocks": (Block("a", (), Return((Attribute("k", (K,)),))),)}, "bound variable 'k' is not declared here"),
    ],
)
def test_bodies(changes: dict[str, object], expected: str) -> None:
    check(with_body(**changes), expected)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (Assert(ONE), "the assertion '1' is not a bool"),
        (Assign((I,), (TRUE,)), "'i' is a int, but is assigned a bool"),
        (Assign((I,), (ONE, ONE)), "1 targets are assigned 2 values"),
        (Assign((), ()), "changes no variable"),
        (Assign((I, I), (ONE, ONE)), "'i' is assigned to twice"),
        (Assign((C,), (ONE,)), "the constant 'c' is assigned to"),
        (Assign((X,), (ONE,)), "the parameter 'x' is assigned to"),
        (Assign((H,), (H,)), "the global variable 'h' is changed, but not in the 'modifies' clause"),
        (Assign((replace(I, name="z"),), (ONE,)), "the local variable 'z' is not declared here"),
        (Assign((replace(I, type=BOOL),), (TRUE,)), "used as bool, but is declared as int"),
        (Assign((K,), (ONE,)), "the bound variable 'k' is not declared here"),
        (Assign((I,), (ONE,), (Attribute("a", (K,)),)), "the bound variable 'k' is not declared here"),
        (Havoc(()), "changes no variable"),
        (Havoc((I, I)), "'i' is assigned to twice"),
        (Havoc((X,)), "the parameter 'x' is assigned to"),
        (Call("z", ()), "the called procedure 'z' is not declared"),
        (Call("q", (ONE,), (I,)), "'q' has 2 arguments, but is called with 1"),
        (Call("q", (ONE, TRUE)), "'q' has 1 results, but is called with 0"),
        (Call("q", (ONE, ONE), (I,)), "the argument 'b' of 'q' is a bool, but is given a int"),
        (Call("q", (ONE, TRUE), (C,)), "the constant 'c' is assigned to"),
        (Call("q", (K, TRUE), (I,)), "the bound variable 'k' is not declared here"),
        (Call("q", (ONE, TRUE), (I,), asynchronous=True), "the asynchronous call of 'q' has results"),
        (ParCall((Call("q", (ONE, TRUE), (I,)),)), "nothing to run in parallel"),
        (ParCall((Call("q", (ONE, TRUE), (I,)), Call("q", (ONE, TRUE), (I,)))), "'i' is assigned to twice"),
        (
            ParCall((Call("q", (ONE, TRUE), (I,)), Call("q", (ONE, TRUE), (Y,), free=True))),
            "neither asynchronous nor free",
        ),
        (Yield((Attribute("a", (K,)),)), "the bound variable 'k' is not declared here"),
    ],
)
def test_statements(statement: Statement, expected: str) -> None:
    check(with_statement(statement), expected)


def test_a_wrong_type_of_a_result() -> None:
    b = local("b", BOOL)
    program = with_body(locals=(*BODY.locals, b), blocks=(Block("a", (Call("q", (ONE, TRUE), (b.var,)),), Return()),))
    check(program, "the result 'r' of 'q' is a int, but is given a bool")


def test_a_global_hidden_by_a_local() -> None:
    program = with_body(locals=(*BODY.locals, local("h")), blocks=(Block("a", (Assume(eq(H, H)),), Return()),))
    check(program, "the global variable 'h' is hidden by the local variable of the same name")


def test_a_local_may_hide_a_global_that_is_not_mentioned() -> None:
    h = local("h")
    check(with_body(locals=(*BODY.locals, h), blocks=(Block("a", (Assume(eq(h.var, h.var)),), Return()),)))


def test_locals_of_another_procedure() -> None:
    body = Implementation((), (Block("a", (Assume(eq(I, ONE)),), Return()),))
    program = replace(BASE, procedures=(*BASE.procedures, Procedure("r", implementations=(body,))))
    check(program, "procedure 'r', block 'a': the local variable 'i' is not declared here")


# --- expressions ---------------------------------------------------------------------------------


def forall(*vars_: Var, body: Expr = TRUE, triggers: tuple[Trigger, ...] = ()) -> Expr:
    return binder(Quantifier.FORALL, vars_, body, triggers)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (App(Op.ADD, (ONE, ONE), BOOL), "has the type bool, but should have int"),
        (App(Op.AND, (ONE, TRUE), BOOL), "applies '&&' to int, bool"),
        (App(Op.NOT, (), BOOL), "applies '!' to no arguments"),
        (eq(App(Fn("z"), (), INT), ONE), "the function 'z', which is not declared"),
        (eq(App(F, (TRUE,), INT), ONE), "applies 'f' to bool"),
        (eq(Lit(-1, INT), ONE), "there is no literal -1 of type int"),
        (eq(X, K), "the bound variable 'k' is not declared here"),
        (forall(K, K), "binds a variable twice"),
        (forall(), "binds no variable"),
        (forall(I), "binds 'i', a local variable"),
        (forall(K, body=eq(K, replace(K, name="j"))), "the bound variable 'j' is not declared here"),
        (forall(Var("i", INT, Scope.BOUND), body=eq(I, ONE)), "local variable 'i' is hidden by the bound variable"),
        (forall(Var("h", INT, Scope.BOUND), body=eq(H, H)), "global variable 'h' is hidden by the bound variable"),
        (forall(Var("k", Named("U", ()), Scope.BOUND)), "the type 'U' is not declared"),
        (forall(K, triggers=(Trigger(()),)), "an empty trigger"),
        (forall(K, triggers=(Trigger((K,)),)), "a trigger that is no application"),
        (forall(K, triggers=(Trigger((App(F, (X,), INT),)),)), "a trigger without k"),
        (forall(K, triggers=(Trigger((K, K), positive=False),)), "{:nopats} has not exactly one term"),
        (Binder(Quantifier.FORALL, (K,), (), (), (), TRUE, BOOL), "one set of attributes for each variable"),
        (Binder(Quantifier.FORALL, (K,), ((),), (), (), TRUE, INT), "has the type int, but should have bool"),
        (Let((K,), (TRUE,), (), TRUE, BOOL), "variables and values of different types"),
        (Let((K,), (ONE, ONE), (), TRUE, BOOL), "variables and values of different types"),
        (Let((K,), (K,), (), TRUE, BOOL), "the bound variable 'k' is not declared here"),
        (Let((), (), (), TRUE, BOOL), "binds no variable"),
    ],
)
def test_expressions(expr: Expr, expected: str) -> None:
    found = messages(with_condition(expr))
    assert any(expected in message for message in found), found


def test_a_quantifier_over_a_number() -> None:
    expr = Binder(Quantifier.EXISTS, (K,), ((),), (), (), ONE, BOOL)
    check(with_condition(expr), "the body of '(exists k: int :: 1)' is not a bool")


def test_a_lambda_with_a_trigger() -> None:
    function = Binder(Quantifier.LAMBDA, (K,), ((),), (), (Trigger((App(F, (K,), INT),)),), K, H.type)
    check(with_condition(eq(function, H)), "is a lambda with triggers")


def test_a_let_of_another_type_than_its_body() -> None:
    check(with_condition(eq(Let((K,), (ONE,), (), TRUE, INT), ONE)), "another type than its body")


def test_bound_variables_end_with_their_binder() -> None:
    check(with_condition(and_(forall(K, body=eq(K, K)), eq(K, ONE))), "the bound variable 'k' is not declared here")


def test_old_is_fine_in_bodies_and_postconditions() -> None:
    check(with_condition(eq(old(select(H, X)), old(old(G)))))


def test_a_mistake_in_a_shared_term_is_reported_once() -> None:
    wrong = App(Op.NOT, (ONE,), BOOL)
    check(with_condition(and_(wrong, not_(wrong), wrong)), "applies '!' to int")


def test_deep_and_shared_terms() -> None:
    deep: Expr = TRUE
    number: Expr = X
    for _ in range(100):
        number = arith(Op.ADD, number, number)
    for _ in range(5_000):
        deep = not_(deep)
    check(with_condition(and_(deep, eq(number, number))))


def test_messages_about_huge_terms_are_short() -> None:
    number: Expr = X
    for _ in range(100):
        number = arith(Op.ADD, number, number)
    (message,) = messages(with_statement(Assume(number)))
    assert len(message) < 250


def test_unknown_types_of_subterms_are_reported() -> None:
    odd = Var("odd", Named("U", ()), Scope.LOCAL)
    check(with_condition(eq(odd, odd)), "the type 'U' is not declared", "the local variable 'odd' is not declared")


def test_a_real_is_no_int() -> None:
    check(with_condition(eq(X, real_lit(Fraction(1)))), "applies '==' to int, real")
