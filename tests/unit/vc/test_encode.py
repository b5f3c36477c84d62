"""What an expression becomes in a solver."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import pytest

import paddock
from paddock.ir.build import and_, binder, eq, or_
from paddock.ir.expr import App, Expr, Fn, Let, Lit, Op, Quantifier, Scope, Var
from paddock.ir.origin import InputError
from paddock.ir.program import local_var
from paddock.ir.types import BOOL, INT
from paddock.solvers.interface import Status, Term
from paddock.solvers.ops import Op as SmtOp
from paddock.solvers.smtlib.script import Script
from paddock.solvers.smtlib.text import term_text
from paddock.solvers.sorts import ArraySort, BitVecSort, DatatypeSort, FloatSort, UninterpretedSort
from paddock.solvers.z3.solver import Z3Solver
from paddock.vc.encode import Encoder
from tests.unit.vc.instances import Instance, program_of

X = local_var("x", INT)


def text_of(expression: str, declarations: str = "", type_: str = "bool") -> str:
    """The SMT-LIB text of an expression over the integers x, y and the map m."""
    program = program_of(
        f"{declarations}\nprocedure p(x: int, y: int, m: [int]int) returns (r: {type_}) {{ r := {expression}; }}"
    )
    body = program.procedure_named["p"].body
    assert body is not None
    script = Script()
    encoder = Encoder(program, script)  # type: ignore[arg-type]

    def value(var: Var) -> Term:
        return script.constant(var.name, encoder.sort(var.type))

    expr: Expr = body.blocks[0].statements[0].values[0]  # type: ignore[union-attr]
    return term_text(encoder.encode(expr, value, value))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expression", "type_", "expected"),
    [
        ("x + 2 * -y", "int", "(+ x (* 2 (- y)))"),
        ("x div y + x mod y", "int", "(+ (div x y) (mod x y))"),
        ("x / y", "real", "(/ (to_real x) (to_real y))"),
        ("x < y ==> !(x != y)", "bool", "(=> (< x y) (not (distinct x y)))"),
        ("x == y <==> y == x", "bool", "(= (= x y) (= y x))"),
        ("if x < y then m[x] else m[y := 1][x]", "int", "(ite (< x y) (select m x) (select (store m y 1) x))"),
        ("5bv8 ++ 3bv8", "bv16", "(concat (_ bv5 8) (_ bv3 8))"),
        ("5bv8[4:1]", "bv3", "((_ extract 3 1) (_ bv5 8))"),
        ("int(1.5) + x", "int", "(+ (to_int (/ 3.0 2.0)) x)"),
    ],
)
def test_operators(expression: str, type_: str, expected: str) -> None:
    assert text_of(expression, type_=type_) == expected


def test_functions_that_are_marked_so_are_expanded() -> None:
    declarations = """
        function {:inline} twice(a: int): int { a + a }
        function {:define} four(a: int): int { twice(twice(a)) }
        function plain(a: int): int { a }
        function {:inline} endless(a: int): int { endless(a) }"""
    assert text_of("four(x) == plain(y)", declarations) == "(let ((?0 (+ x x))) (= (+ ?0 ?0) (plain y)))"
    assert text_of("endless(x) == 0", declarations) == "(= (endless x) 0)"


A, B = Var("a", INT, Scope.BOUND), Var("x", INT, Scope.BOUND)
ABOVE = binder(Quantifier.EXISTS, [B], eq(B, A))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (App(Fn("above"), (B,), BOOL), "(exists ((x!1 Int)) (= x!1 x))"),
        (Let((A,), (B,), (), ABOVE, BOOL), "(exists ((x!1 Int)) (= x!1 x))"),
        (or_(eq(B, B), binder(Quantifier.EXISTS, [B], eq(B, B))), "(or (= x x) (exists ((x!1 Int)) (= x!1 x!1)))"),
        (or_(Let((A,), (B,), (), eq(A, A), BOOL), ABOVE), "(or (= x x) (exists ((x!1 Int)) (= x!1 a)))"),
    ],
    ids=["function", "let", "binder", "let that has ended"],
)
def test_variables_of_one_name_are_kept_apart(body: Expr, expected: str) -> None:
    program = program_of("function {:inline} above(a: int): bool { (exists x: int :: x == a) } procedure main() { }")
    script = Script()
    root = binder(Quantifier.FORALL, [A], binder(Quantifier.FORALL, [B], body))
    term = Encoder(program, script).encode(root, no_variables, no_variables)  # type: ignore[arg-type]
    assert term_text(term) == f"(forall ((a Int)) (forall ((x Int)) {expected}))"  # type: ignore[arg-type]


def no_variables(var: Var) -> Term:
    raise AssertionError(var)


def test_lets_are_expanded() -> None:
    assert text_of("(var a, b := x, y; (var a := b; a == x))") == "(= y x)"
    assert text_of("(var a := x; (var a := a + a; a > 0) && (var b := a; b > y))") == "(and (> (+ x x) 0) (> x y))"


def test_a_let_around_old_has_its_value_from_now() -> None:
    text = """
        var g: int;
        procedure main() { }
        procedure P() modifies g; { g := g + 1; assume (var a := g; old(a - g) == 1); }"""
    assert Instance(text).allows("out_g == in_g + 1")
    assert not Instance(text.replace("== 1", "== 0")).allows("true")


def test_sorts() -> None:
    program = program_of("type T a; type U; datatype D { N(), C(d: D) } procedure main() { }")
    solver = Z3Solver()
    encoder = Encoder(program, solver.terms)
    variables = program_of(
        """type T a; type U; datatype D { N(), C(d: D) }
        var a: [int, bool]bv7; var b: float24e8; var c: T (T U); var d: D; var e: [D][U]D;"""
    ).globals
    sorts = [encoder.sort(v.var.type) for v in variables]
    data, element = DatatypeSort("D"), UninterpretedSort("U")
    assert sorts[0] == ArraySort((encoder.sort(INT), encoder.sort(BOOL)), BitVecSort(7))
    assert sorts[1:4] == [FloatSort(8, 24), UninterpretedSort("T (T U)"), data]
    assert sorts[4] == ArraySort((data,), ArraySort((element,), data))


def test_axioms_are_the_programs_and_what_follows_from_declarations() -> None:
    program = program_of(
        """
        const unique a: int; const unique b: int; const unique c: bool; const d: int;
        axiom d > 7;
        function f(x: int): int { x + 1 }
        function {:inline} g(x: int): int { x + 1 }
        function {:builtin "abs"} h(x: int): int;
        procedure main() { }
        """
    )
    script = Script()
    axioms = [term_text(a) for a in Encoder(program, script).axioms()]  # type: ignore[arg-type]
    assert axioms[0] == "(> d 7)"
    assert axioms[1].startswith("(forall ((x Int)) (! (= (f x) (+ x 1)) :pattern ((f x))")
    assert axioms[2:] == ["(distinct a b)"]


def test_an_unknown_builtin_is_an_error_at_its_declaration() -> None:
    program = program_of('function {:builtin "frobnicate"} f(x: int): int;\naxiom f(1) == 2;')
    with pytest.raises(InputError, match=r"test.bpl:1:34: error: the builtin \"frobnicate\" .*not supported"):
        Encoder(program, Z3Solver().terms).axioms()


@pytest.mark.parametrize(
    ("declaration", "use"),
    [
        ('function {:bvbuiltin "bvadd"} f(x: bv8): bv8', "f(1bv8) == 1bv8"),
        ('function {:bvbuiltin "bvsub"} f(x: bv8, y: bv8, z: bv8): bv8', "f(1bv8, 1bv8, 1bv8) == 1bv8"),
        ('function {:bvbuiltin "bvadd"} f(x: bv8, y: bv9): bv8', "f(1bv8, 1bv9) == 1bv8"),
        ('function {:builtin "fp.abs"} f(x: int): int', "f(1) == 1"),
        ('function {:builtin "MapAdd"} f(x: int): [int]int', "f(1)[1] == 1"),
    ],
)
def test_a_builtin_with_other_types_is_an_error_at_its_declaration(declaration: str, use: str) -> None:
    program = program_of(f"{declaration};\naxiom {use};")
    with Z3Solver() as solver, pytest.raises(InputError, match=r"test.bpl:1:\d+: error: the types of the function 'f'"):
        list(Encoder(program, solver.terms).axioms())


def test_what_is_used_is_known_afterwards() -> None:
    program = program_of("const c: int; const d: int; function f(int): int; axiom f(c) == 1; procedure main() { }")
    encoder = Encoder(program, Z3Solver().terms)
    encoder.axioms()
    assert [v.name for v in encoder.known_constants()] == ["c"]
    assert list(encoder.known_functions()) == ["f"]


@pytest.mark.parametrize("deepened", ["right", "left", "functions", "lets", "quantifiers"])
def test_deep_expressions(deepened: str) -> None:
    depth = 5_000 if deepened != "quantifiers" else 300  # Z3 takes no more
    program = program_of("function {:inline} f(a: bool): bool { !a } procedure main() { }")
    encoder = Encoder(program, (solver := Z3Solver()).terms)
    x = solver.terms.constant("x", encoder.sort(INT))
    root: Expr = eq(X, Lit(0, INT))
    for n in range(depth):
        match deepened:
            case "right":
                root = and_(eq(X, Lit(n % 7, INT)), root)
            case "left":
                root = App(Op.IFF, (root, eq(X, Lit(n % 7, INT))), BOOL)
            case "functions":
                root = App(Fn("f"), (root,), BOOL)
            case "lets":
                bound = Var(f"a{n % 3}", INT, Scope.BOUND)
                root = Let((bound,), (X,), (), and_(eq(bound, X), root), BOOL)
            case "quantifiers":
                bound = Var(f"a{n % 3}", INT, Scope.BOUND)
                root = binder(Quantifier.FORALL, [bound], or_(eq(bound, X), root))
    term = encoder.encode(root, lambda v: x, lambda v: x)
    solver.assert_(solver.terms.app(SmtOp.OR, (term, solver.terms.literal(True, encoder.sort(BOOL)))))
    assert solver.check().status is Status.SAT


def test_functions_may_give_what_is_no_number() -> None:
    program = program_of("""
function f(a: float24e8): float24e8 { a / a }
procedure main() { assert f(0x0.0e0f24e8) == f(0x0.0e0f24e8); assert f(0x0.0e0f24e8) != 0NaN24e8; }""")
    assert paddock.check(program).verdict is paddock.Verdict.BUG
