"""Every kind of error that the checker reports: its message, place and hint, and that it comes alone.

The parser's errors are in `test_parser.py`, those of polymorphism in `test_polymorphism.py`.
"""

from __future__ import annotations

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from tests.unit.frontends.boogie.loading import check_errors, errors

COLORS = "datatype Color { Red(), Green(shade: int), Blue(shade: int, deep: bool) } "


def in_body(statement: str) -> str:
    return f"""
        var global: int;
        const fixed: int;
        function f(x: int, y: bool): int;
        procedure P(x: int) returns (y: int, z: bool);
        procedure Changes(); modifies global;
        procedure main(b: bool, i: int, r: real, v: bv8, m: [int]int, n: [int,bool]int)
        {{
          var local, other: int;
          {statement}
        }}"""


# --- expressions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        # names
        ("«lokal == 0", "undeclared identifier 'lokal'; did you mean 'local'?"),
        ("«zzz == 0", "undeclared identifier 'zzz'"),
        ("«f == 0", "undeclared identifier 'f'; it is a function: use it in an expression as f(…)"),
        (
            "«Changes == 0",
            "undeclared identifier 'Changes'; it is a procedure: use it in a statement as call Changes(…)",
        ),
        ("«ff(1, true) == 0", "undeclared function 'ff'; did you mean 'f'?"),
        ("«Changed() == 0", "undeclared function 'Changed'"),
        ("«P(1) == 0", "undeclared function 'P'; it is a procedure: use it in a statement as call P(…)"),
        # operators
        ("i «+ b == 0", "'+' needs two ints, two reals or two floats, not int and bool"),
        ("i «+ r == 0", "'+' needs two ints, two reals or two floats, not int and real"),
        ("v «< v", "'<' needs two ints, two reals or two floats, not bv8 and bv8"),
        ("i «div r == 0", "'div' needs two ints, not int and real"),
        ("r «mod r == 0", "'mod' needs two ints, not real and real"),
        ("b «/ i == 0.0", "'/' needs numbers, not bool and int"),
        ("i «** i == 0", "'**' needs two reals, not int and int"),
        ("«-b", "'-' needs an int, real or float, not bool"),
        ("«!i", "'!' needs a bool, not int"),
        ("i «&& b", "'&&' needs bools, not int and bool"),
        ("b «==> i", "'==>' needs bools, not bool and int"),
        ("i «<==> i", "'<==>' needs bools, not int and int"),
        ("i «== b", "'==' needs two values of one type, not int and bool"),
        ("m «!= n", "'!=' needs two values of one type, not [int]int and [int,bool]int"),
        ("«int(i) == 0", "'int' needs a real, not int"),
        ("«real(r) == r", "'real' needs an int, not real"),
        ("(«if i then 1 else 2) == 1", "the condition of 'if' must be a bool, but is int"),
        ("(«if b then 1 else b) == 1", "both branches of 'if' must have one type, but are int and bool"),
        # functions, maps, bit-vectors
        ("«f(1) == 0", "the function 'f' takes 2 arguments, not 1"),
        ("f(«b, true) == 0", "argument 1 of 'f' must be an int, but is bool"),
        ("m[«b] == 0", "the index must be an int, but is bool"),
        ("n«[1] == 0", "this map takes 2 indices, not 1"),
        ("m«[1, b] == 0", "this map takes 1 index, not 2"),
        ("i«[1] == 0", "only maps can be indexed, not int"),
        ("m[1 := «b] == m", "the map's elements are int, not bool"),
        ("v«[9:0] == 0bv9", "[9:0] does not lie within bv8"),
        ("v«[2:4] == 0bv2", "[2:4] does not lie within bv8"),
        ("i«[2:1] == 0bv1", "only bit-vectors have bits, not int"),
        ("v «++ i == v", "'++' needs two bit-vectors, not bv8 and int"),
        ("(i «: bool)", "int cannot be taken as bool"),
        ("(i : «integer) == 0", "undeclared type 'integer'"),
        # binders
        ("(forall x: int, «x: bool :: true)", "the variable 'x' is bound twice"),
        ("(forall x: int :: «x)", "the body of a quantifier must be a bool, but is int"),
        ("(exists x: «inn :: true)", "undeclared type 'inn'; did you mean 'int'?"),
        ("(«var x, y := 1; x) == 1", "2 variables are bound to 1 value"),
        ("(«var x := 1, 2; x) == 1", "1 variable is bound to 2 values"),
        ("(var x, «x := 1, 2; b)", "the variable 'x' is bound twice"),
        ("(forall x: int :: «{ x } f(x, b) > 0)", "a trigger must be more than a variable"),
        ("(forall x, y: int :: «{ f(x, b) } f(x, b) > y)", "the trigger does not mention 'y'"),
        ("(forall x: int :: «{ f(x, x < 3 && b) } b)", "a Boolean operator cannot be part of a trigger"),
        ("(forall x: int :: «{ f(x, x == 1) } b)", "an equality cannot be part of a trigger"),
        ("(forall x: int :: «{ f(x, x < 1) } b)", "a comparison cannot be part of a trigger"),
        ("(forall x: int :: «{ f(x, (exists y: int :: y == x)) } b)", "a quantifier cannot be part of a trigger"),
        ("(forall x: int :: «{ f((var y := x; y), b) } b)", "a let cannot be part of a trigger"),
        ("(«lambda<t> x: t :: x) == 3", "a lambda expression over types is not supported"),
    ],
)
def test_expressions(marked: str, message: str) -> None:
    check_errors(in_body(f"assert {marked};"), message)


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("c«->depth == 1", "the datatype 'Color' has no field 'depth'; did you mean 'deep'?"),
        ("i«->shade == 1", "'->' needs a datatype, not int"),
        ("c->(shade := «true) == c", "the field 'shade' is an int, not bool"),
        ("c «is Gren", "the datatype 'Color' has no constructor 'Gren'; did you mean 'Green'?"),
        ("i «is Green", "'is' needs a datatype, not int"),
        ("c == «Green()", "the constructor 'Green' takes 1 argument, not 0"),
        ("c == Green(«c)", "argument 1 of 'Green' must be an int, but is Color"),
        ("is#Red(«i)", "the argument of 'is#Red' must be a Color, but is int"),
        ("«deep#Green(c)", "undeclared function 'deep#Green'; did you mean 'Green'?"),
        ("«depth#Blue(c) == 1", "undeclared function 'depth#Blue'"),
    ],
)
def test_datatype_expressions(marked: str, message: str) -> None:
    check_errors(f"{COLORS} procedure main(c: Color, i: int) {{ assert {marked}; }}", message)


# --- statements ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        ("assert «i;", ["an assertion must be a bool, but is int"]),
        ("assume «i;", ["an assumption must be a bool, but is int"]),
        ("if («i) { }", ["the condition of 'if' must be a bool, but is int"]),
        ("while («i) { }", ["the condition of 'while' must be a bool, but is int"]),
        ("while (*) invariant «i; { }", ["a loop invariant must be a bool, but is int"]),
        ("local := «b;", ["the value of 'local' must be an int, but is bool"]),
        ("«lokal := 1;", ["undeclared identifier 'lokal'; did you mean 'local'?"]),
        ("«i := 1;", ["the parameter 'i' cannot be assigned to"]),
        ("«m[1] := 1;", ["the parameter 'm' cannot be assigned to"]),
        ("«fixed := 1;", ["the constant 'fixed' cannot be assigned to"]),
        (
            "«global := 1;",
            ["the procedure 'main' changes the global variable 'global'; add 'modifies global;' to its declaration"],
        ),
        ("havoc local, «fixed;", ["the constant 'fixed' cannot be assigned to"]),
        ("«local, other := 1;", ["2 targets are assigned 1 value"]),
        ("«local := 1, 2;", ["1 target is assigned 2 values"]),
        ("local, «local := 1, 2;", ["'local' is assigned to twice in one statement"]),
        ("local := 1; assume {:a «zzz} true;", ["undeclared identifier 'zzz'"]),
        ("goto «there; here: return;", ["undefined label 'there'; did you mean 'here'?"]),
        ("here: local := 1; «here: return;", ["the label 'here' is already defined"]),
        ("while (*) { here: local := 1; } «here: return;", ["the label 'here' is already defined"]),
        ("«break;", ["'break' outside of a loop"]),
        ("if (*) { «break; }", ["'break' outside of a loop"]),
        ("here: while (*) { «break there; }", ["'break there' is not inside a statement with that label"]),
        ("here: local := 1; while (*) { «break here; }", ["'break here' is not inside a statement with that label"]),
        # calls
        ("call «Chances();", ["undeclared procedure 'Chances'; did you mean 'Changes'?"]),
        ("call «f(1, b);", ["undeclared procedure 'f'; it is a function: use it in an expression as f(…)"]),
        ("call «P();", ["the procedure 'P' has 1 argument, not 0"]),
        ("call «P(1);", ["the procedure 'P' has 2 results, not 0"]),
        (
            "call local, «other := P(«b);",
            ["'other' is int, but this result of 'P' is bool", "this argument of 'P' must be int, but is bool"],
        ),
        ("async call «local, other := P(1);", ["an asynchronous call has no results"]),
        (
            "call local, «local := P(«b);",
            ["'local' is assigned to twice in one statement", "this argument of 'P' must be int, but is bool"],
        ),
        (
            "call «Changes();",
            [
                (
                    "the call of 'Changes' may change global, which 'main' may not"
                    "; add 'modifies global;' to the declaration of 'main'"
                )
            ],
        ),
    ],
)
def test_statements(marked: str, messages: list[str]) -> None:
    check_errors(in_body(marked), *messages)


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("«Grean(i) := c;", "'Grean' is not a constructor; did you mean 'Green'?"),
        ("«Blue(i) := c;", "the constructor 'Blue' has 2 fields, not 1"),
        ("Green(i) := «i;", "the value must be built with 'Green', but is int"),
        ("Green(«b) := c;", "the field 'shade' is int, but 'b' is bool"),
        ("c->shade := «b;", "the value must be an int, but is bool"),
        ("«c->depth := 1;", "the datatype 'Color' has no field 'depth'; did you mean 'deep'?"),
        ("«i->depth := 1;", "'->' needs a datatype, not int"),
        ("m[«b] := c;", "the index must be an int, but is bool"),
        ("«m[1, 2] := c;", "this map takes 1 index, not 2"),
        ("«i[1] := 1;", "only maps can be indexed, not int"),
        ("m[1] := «2;", "the value must be a Color, but is int"),
        ("m[1]->shade, «m[2] := 1, c;", "'m' is assigned to twice in one statement"),
    ],
)
def test_assignments_to_parts(marked: str, message: str) -> None:
    check_errors(
        f"{COLORS} procedure main() {{ var c: Color; var i: int; var b: bool; var m: [int]Color; {marked} }}", message
    )


# --- declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        # types
        ("var x: «itn;", ["undeclared type 'itn'; did you mean 'int'?"]),
        ("type T a; var x: «T;", ["the type 'T' takes 1 argument, not 0"]),
        ("type T; var x: «T int;", ["the type 'T' takes 0 arguments, not 1"]),
        ("var x: «bv8 int;", ["the type 'bv8' takes no arguments"]),
        ("var x: «bv9999999;", ["'bv9999999' is too wide a type"]),
        ("var x: «bv99999999999999999999;", ["'bv99999999999999999999' is too wide a type"]),
        ("var x: «float1e8;", ["'float1e8': significand and exponent need at least 2 bits each"]),
        ("type T; type «T;", ["the type 'T' is already defined"]),
        ("type «bv8; var x: bv8; axiom 1bv8 == 1bv8;", ["the type 'bv8' is built in"]),
        ("type «T a a = int;", ["a type parameter is declared twice"]),
        ("type a; type «T a = int;", ["the type parameter 'a' has the name of a declared type"]),
        ("type T a = «a int;", ["the type parameter 'a' takes no arguments"]),
        ("type S = «S;", ["the type synonym 'S' is defined through itself"]),
        (
            "type A = «[int]B; type B = [int]A; type C = A;",
            ["the type synonym 'A' is defined through itself; by way of 'B'"],
        ),
        ('type string; axiom «"a" == «"b";', ["the type of this literal is hidden by the declared type string"] * 2),
        ("datatype D { C() } datatype «D { E() }", ["the type 'D' is already defined"]),
        ("datatype D { C() } datatype E { «C() }", ["the constructor 'C' is already defined"]),
        ("type {:datatype} «D;", ["the datatype 'D' has no constructor"]),
        ("datatype D { C(x: int, «x: int) }", ["the field 'x' is declared twice"]),
        ("datatype D { C(x: int), E(«x: bool) }", ["the field 'x' has another type in another constructor of 'D'"]),
        ("datatype «D { C(d: D) }", ["the datatype 'D' has no values: each constructor needs one to begin with"]),
        (
            "datatype «D { C(m: [int]E) } datatype «E { F(d: D), G(e: E) }",
            [f"the datatype '{d}' has no values: each constructor needs one to begin with" for d in "DE"],
        ),
        # variables, functions, axioms
        ("var x: int; const «x: int;", ["the variable 'x' is already defined"]),
        ("const x: int; var «x: int;", ["the constant 'x' is already defined"]),
        ("function f(): int; function «f(): int;", ["the function 'f' is already defined"]),
        ("datatype D { C() } function «C(): int;", ["the constructor 'C' is already defined"]),
        ("function f(): int; procedure «f();", ["the function 'f' is already defined"]),
        ("function f(x: int, «x: int): int;", ["the parameter 'x' is declared twice"]),
        ("function f(x: int): bool { «x }", ["the body of 'f' must be a bool, but is int"]),
        ("var g: int; function f(): int { «g }", ["the global variable 'g' cannot be used in a function"]),
        ("function f(x: int): int { «old(x) }", ["'old' cannot be used in a function"]),
        ("axiom «1;", ["an axiom must be a bool, but is int"]),
        ("var g: int; axiom «g > 0;", ["the global variable 'g' cannot be used in an axiom"]),
        ("axiom «old(true);", ["'old' cannot be used in an axiom"]),
        ("var x: int where «x;", ["the where clause of 'x' must be a bool, but is int"]),
        ("var x: int where «old(x) > 0;", ["'old' cannot be used in a where clause"]),
        ("const {:a «old(1)} c: int;", ["'old' cannot be used in an attribute of a declaration"]),
        # procedures
        ("procedure P(); procedure «P();", ["the procedure 'P' is already defined"]),
        ("procedure P(x: int, «x: int);", ["the variable 'x' is already declared here"]),
        ("procedure P(x: int) returns («x: int);", ["the variable 'x' is already declared here"]),
        ("procedure P(x: int) { var «x: bool; }", ["the variable 'x' is already declared here"]),
        ("procedure P(); requires «1;", ["a precondition must be a bool, but is int"]),
        ("procedure P(); ensures «1;", ["a postcondition must be a bool, but is int"]),
        ("procedure P(x: int); requires «old(x) > 0;", ["'old' cannot be used in a precondition"]),
        ("procedure P() returns (x: int); requires «x > 0;", ["undeclared identifier 'x'"]),
        ("procedure P(y: int where y > «x) returns (x: int);", ["undeclared identifier 'x'"]),
        ("const c: int; procedure P(); modifies «c;", ["'c' is not a global variable"]),
        ("var g: int; procedure P(); modifies «gg;", ["'gg' is not a global variable; did you mean 'g'?"]),
        ("implementation «P() { }", ["the implementation of an undeclared procedure 'P'"]),
        (
            "procedure Perform(); implementation «Preform() { }",
            ["the implementation of an undeclared procedure 'Preform'; did you mean 'Perform'?"],
        ),
        (
            "procedure P(x: int) returns (y: int); implementation «P() returns (y: int) { }",
            ["the procedure 'P' has 1 parameter, but this implementation 0"],
        ),
        (
            "procedure P(x: int) returns (y: int, z: int); implementation «P(x: int) returns (y: int) { }",
            ["the procedure 'P' has 2 results, but this implementation 1"],
        ),
        (
            "procedure P(x: int); implementation P(«y: bool) { assert y > 0; }",
            ["the parameter 'y' is int in the procedure, but bool here"],
        ),
        (
            "procedure P() returns (x: int); implementation P() returns («y: bool) { }",
            ["the result 'y' is int in the procedure, but bool here"],
        ),
        (
            "procedure P(x: int, y: int); implementation P(a: int, «a: int) { }",
            ["the variable 'a' is already declared here"],
        ),
    ],
)
def test_declarations(marked: str, messages: list[str]) -> None:
    check_errors(marked, *messages)


# --- several errors ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        # What is wrong already gives no further messages where it is used.
        ("var x: «foo; procedure P() { assert x + 1 == 2; assert x[1] && x; assert x->f; }", ["undeclared type 'foo'"]),
        (
            "var x: [«foo]int; procedure P() { assert x[true] == 1; assert x == (lambda i: int :: i); }",
            ["undeclared type 'foo'"],
        ),
        ("procedure P() { assert «a + true; }", ["undeclared identifier 'a'"]),
        (
            "procedure P() { assert «a ++ 1; assert 1 / «c == 1.0; assert if «d then true else 1 == «e; }",
            [f"undeclared identifier '{n}'" for n in "acde"],
        ),
        (
            "procedure P() { assert «f(«a)[«b := 1][8:0]->g is C; }",
            ["undeclared function 'f'", *(f"undeclared identifier '{n}'" for n in "ab")],
        ),
        ("axiom (forall x: «foo :: { x + 1 } x > true && «y);", ["undeclared type 'foo'", "undeclared identifier 'y'"]),
        (
            """procedure P() { var x: «foo; var y: bool; x := 1; x := true; y := x; call x, y := Q(x); }
            procedure Q(a: int) returns (b: int, c: bool);""",
            ["undeclared type 'foo'"],
        ),
        (
            "procedure P() { assert 1 «+ true; assert 2 «+ true; }",
            ["'+' needs two ints, two reals or two floats, not int and bool"] * 2,
        ),
        # The head of a procedure with a body is read twice, but complained of once.
        (
            "procedure P(x: «foo, «x: «bar) { }",
            ["undeclared type 'foo'", "the variable 'x' is already declared here", "undeclared type 'bar'"],
        ),
    ],
)
def test_no_consequences(marked: str, messages: list[str]) -> None:
    check_errors(marked, *messages)


def test_errors_are_in_the_order_of_the_source() -> None:
    check_errors(
        """
        procedure P() { assert «late; }
        axiom «early;
        implementation Q() { assert «a == 1; }
        procedure Q();
        """,
        "undeclared identifier 'late'",
        "undeclared identifier 'early'",
        "undeclared identifier 'a'",
    )


def test_many_errors_are_cut() -> None:
    found = errors("procedure P() {\n" + "assert x;\n" * 100 + "}")
    assert [d.origin.line for d in found] == [*range(2, 22), 0]
    assert found[-1].message == "80 more errors are not shown"


def test_errors_of_several_files() -> None:
    with pytest.raises(InputError) as caught:
        load([Source("axiom b;", "one.bpl"), Source("axiom\nc;", "two.bpl")])
    assert [str(d.origin) for d in caught.value.diagnostics] == ["one.bpl:1:7", "two.bpl:2:1"]
    assert [d.source_line for d in caught.value.diagnostics] == ["axiom b;", "c;"]


def test_the_whole_message() -> None:
    (found,) = errors("procedure P()\n{\n  var count: int;\n\tcuont := 1;\n}\n")
    assert str(found).splitlines() == [
        "test.bpl:4:2: error: undeclared identifier 'cuont'",
        "  \tcuont := 1;",
        "  \t^",
        "  did you mean 'count'?",
    ]


def test_very_long_lines_are_not_shown_whole() -> None:
    before, after = errors(f"axiom a; /* {'-' * 1000} */ axiom b;")
    assert len(before.source_line) < 400
    assert (after.source_line, after.origin.column) == ("", 1023)


def test_very_long_types_are_not_shown_whole() -> None:
    (found,) = errors(f"var m: {'[int]' * 1000}int; axiom true; procedure P() {{ assert m == 1; }}")
    assert len(found.message) < 200
    assert found.message.endswith("… and int")
