from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.ir.build import TRUE, and_, arith, binder, eq, int_lit, ite, not_, old, select
from paddock.ir.expr import Op, Quantifier, Scope, Var
from paddock.ir.program import Program, global_var, local_var
from paddock.ir.types import BOOL, INT, Map
from paddock.trace.evaluate import evaluate
from paddock.trace.values import DataValue, Env, LambdaValue, Later, MapValue, Undecided, Value, map_of
from paddock.trace.world import World
from tests.unit.trace.boogie_text import value_of

EMPTY = World(Program())


@pytest.mark.parametrize(
    ("expr", "type_", "value"),
    [
        ("-7 div 2", "int", -4),
        ("-7 mod 2", "int", 1),
        ("7 div -2", "int", -3),
        ("7 div 0", "int", 0),
        ("7 mod 0", "int", 0),
        ("7 / 2", "real", Fraction(7, 2)),
        ("1.0 / 0.0", "real", Fraction(0)),
        ("int(-1.5)", "int", -2),
        ("real(3) ** 2.0", "real", Fraction(9)),
        ("if 1 < 2 then 3 else 4", "int", 3),
        ("3bv4 ++ 5bv4", "bv8", 0x35),
        ("171bv8[8:4]", "bv4", 0xA),
        ("(var x, y := 1, 2; x + y)", "int", 3),
        ("(var x := 1; (var x := x + 1; x * 10) + x)", "int", 21),
        ("true <==> false", "bool", False),
        ("0x1.8e0f24e8 + 0x0.8e0f24e8", "float24e8", 0x40000000),
        ("0NaN24e8 == 0NaN24e8", "bool", True),
        ("0NaN24e8 != 0NaN24e8", "bool", False),
        ("0NaN24e8 <= 0NaN24e8", "bool", False),
        ("0x0.0e0f24e8 == -0x0.0e0f24e8", "bool", False),
        ("0x0.0e0f24e8 != -0x0.0e0f24e8", "bool", True),
        ("0x0.0e0f24e8 <= -0x0.0e0f24e8", "bool", True),
        ("(forall x: float24e8 :: -0x1.0e0f24e8 <= x && x <= -0x0.8e0f24e8 ==> x == 0x1.0e0f24e8)", "bool", False),
        ("(exists x: float24e8 :: x == -0x0.0e0f24e8 && x != 0x0.0e0f24e8)", "bool", True),
        ("-0x1.0e0f24e8 < 0x1.0e0f24e8", "bool", True),
    ],
)
def test_operators(expr: str, type_: str, value: Value) -> None:
    assert value_of(expr, type_) == value


FUNCTIONS = """
    function add(x: int, y: int): int { x + y }
    function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) }
    function even(n: int): bool { n == 0 || odd(n - 1) }
    function odd(n: int): bool { n != 0 && even(n - 1) }
    function forever(n: int): int { forever(n + 1) }
    function {:bvbuiltin "bvadd"} plus(bv8, bv8): bv8;
    function {:builtin "no_such_function"} what(int): int;
    function open(int): int;
"""


def test_functions() -> None:
    assert value_of("add(1, add(2, 3))", "int", FUNCTIONS) == 6
    assert value_of("fact(20)", "int", FUNCTIONS) == 2432902008176640000
    assert value_of("even(5000)", "bool", FUNCTIONS) is True
    assert value_of("plus(200bv8, 100bv8)", "bv8", FUNCTIONS) == 44
    assert value_of("open(3)", "int", FUNCTIONS) == 0


def test_a_function_that_never_ends_is_undecided() -> None:
    with pytest.raises(Undecided, match="too many steps"):
        value_of("forever(0)", "int", FUNCTIONS)


def test_an_unknown_builtin_is_undecided() -> None:
    with pytest.raises(Undecided, match="no_such_function"):
        value_of("what(0)", "int", FUNCTIONS)


def test_an_undecided_part_need_not_matter() -> None:
    for expr, value in [
        ("what(0) == 1 && false", False),
        ("false && what(0) == 1", False),
        ("what(0) == 1 || true", True),
        ("what(0) == 1 ==> true", True),
        ("false ==> what(0) == 1", True),
        ("if true then true else what(0) == 1", True),
    ]:
        assert value_of(expr, "bool", FUNCTIONS) is value
    for expr in ("what(0) == 1 && true", "what(0) == 1 || false", "true ==> what(0) == 1", "what(0) == 1 ==> false"):
        with pytest.raises(Undecided):
            value_of(expr, "bool", FUNCTIONS)


DATA = """
    datatype List { Nil(), Cons(head: int, tail: List) }
    datatype Shape { Dot(x: int), Box(x: int, y: int) }
    function length(l: List): int { if l is Nil then 0 else 1 + length(l->tail) }
"""


def test_data() -> None:
    assert value_of("Cons(1, Cons(2, Nil()))->tail->head", "int", DATA) == 2
    assert value_of("length(Cons(1, Cons(2, Nil())))", "int", DATA) == 2
    assert value_of("Cons(1, Nil()) == Cons(1, Nil())", "bool", DATA) is True
    assert value_of("Cons(1, Nil()) == Nil()", "bool", DATA) is False
    assert value_of("Box(1, 2)->(x := 5) == Box(5, 2)", "bool", DATA) is True
    assert value_of("Dot(1)->(y := 5)->x", "int", DATA) == 1


def test_a_field_that_is_not_there_is_what_the_world_says() -> None:
    assert value_of("Nil()->head", "int", DATA) == 0
    assert value_of("Nil()->tail == Nil()", "bool", DATA) is True


def test_maps() -> None:
    declarations = 'function {:builtin "MapConst"} all(int): [int]int;'
    assert value_of("all(3)[1 := 7][1]", "int", declarations) == 7
    assert value_of("all(3)[1 := 7][2]", "int", declarations) == 3
    assert value_of("all(3)[1 := 7][1 := 3] == all(3)", "bool", declarations) is True


def test_lambdas() -> None:
    assert value_of("(lambda x: int :: x * x)[7]", "int") == 49
    assert value_of("(lambda x: int :: x * x)[7 := 1][7]", "int") == 1
    assert value_of("(lambda x: int, y: int :: x - y)[7, 2]", "int") == 5
    assert isinstance(value_of("(lambda x: int :: x)", "[int]int"), LambdaValue)
    with pytest.raises(Undecided):
        value_of("(lambda x: int :: x) == (lambda y: int :: y)", "bool")


def test_a_lambda_over_few_values_is_a_map() -> None:
    assert value_of("(lambda b: bool :: if b then 1 else 0)", "[bool]int") == map_of(0, {(True,): 1}, 2)
    assert value_of("(lambda b: bool :: b) == (lambda c: bool :: !!c)", "bool") is True


def test_lambdas_of_lambdas_do_not_recurse() -> None:
    f = "(lambda x: int :: x)"
    deep = value_of("(lambda x: int :: (lambda y: int :: x + y))[3][4]", "int")
    assert deep == 7
    assert value_of(f"(var f := {f}; (var g := (lambda x: int :: f[x] + 1); g[g[0]]))", "int") == 2


def test_variables_and_old() -> None:
    g, x = global_var("g", INT), local_var("x", INT)
    env = Env(globals={"g": 5}, locals={"x": 1}, old={"g": 3})
    assert evaluate(arith(Op.SUB, g, old(arith(Op.ADD, g, x))), env, EMPTY) == 1
    assert evaluate(old(old(g)), env, EMPTY) == 3
    with pytest.raises(Undecided, match="y has no value"):
        evaluate(local_var("y", INT), env, EMPTY)


def test_a_lambda_keeps_the_state_it_was_written_in() -> None:
    globals_: dict[str, Value | Later] = {"g": 5}
    g, i = global_var("g", INT), Var("i", INT, Scope.BOUND)
    f = evaluate(binder(Quantifier.LAMBDA, [i], arith(Op.ADD, i, g)), Env(globals=globals_), EMPTY)
    globals_["g"] = 100
    map_ = local_var("m", Map((INT,), INT))
    assert evaluate(select(map_, int_lit(1)), Env(globals=globals_, locals={"m": f}), EMPTY) == 6


def test_later_values_are_forced_only_if_read() -> None:
    def never() -> Value:
        raise AssertionError("it should not be asked")

    x, y = local_var("x", BOOL), local_var("y", BOOL)
    env = Env(locals={"x": False, "y": Later(never)})
    assert evaluate(and_(x, y), env, EMPTY) is False


def test_deep_and_shared_expressions() -> None:
    x = local_var("x", BOOL)
    deep = x
    for _ in range(10_000):
        deep = not_(deep)
    assert evaluate(deep, Env(locals={"x": True}), EMPTY) is True
    conjunction = and_(*[eq(int_lit(i), int_lit(i)) for i in range(10_000)])
    assert evaluate(conjunction, Env(), EMPTY) is True
    shared = int_lit(1)
    for _ in range(200):
        shared = arith(Op.ADD, shared, shared)
    assert evaluate(shared, Env(), EMPTY) == 2**200
    nested = int_lit(0)
    for i in range(10_000):
        nested = ite(TRUE, nested, int_lit(i))
    assert evaluate(nested, Env(), EMPTY) == 0


def test_deep_undecided_expressions() -> None:
    deep = local_var("missing", BOOL)
    for _ in range(10_000):
        deep = not_(deep)  # type: ignore[assignment]
    with pytest.raises(Undecided, match="missing"):
        evaluate(deep, Env(), EMPTY)


def test_a_long_list_is_built_and_measured() -> None:
    declarations = DATA + "function upto(n: int): List { if n <= 0 then Nil() else Cons(n, upto(n - 1)) }"
    assert value_of("length(upto(1500))", "int", declarations) == 1500
    assert isinstance(value_of("upto(2)", "List", declarations), DataValue)


def test_equal_maps_over_few_indices() -> None:
    declarations = 'function {:builtin "MapConst"} all(int): [bool]int;'
    assert value_of("all(3)[true := 1][false := 1] == all(1)", "bool", declarations) is True
    assert isinstance(value_of("all(3)", "[bool]int", declarations), MapValue)


def test_string_literals() -> None:
    declarations = 'function {:builtin "str.len"} len(string): int;'
    assert value_of('len("a\\u{62}c")', "int", declarations) == 3


def test_lets_nested_thousands_deep() -> None:
    depth = 5_000
    lets = "".join(f"(var a{n} := a{n - 1} + 1; " for n in range(1, depth))
    text = f"(var a0 := 7; {lets} a{depth - 1} + a0{')' * depth}"
    assert value_of(text, "int") == 7 + depth - 1 + 7
    assert value_of("(var a := 1; (var f := (lambda i: int :: i + a); (var a := 100; f[2])))", "int") == 3
