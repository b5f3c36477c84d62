from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from paddock.frontends.boogie.lexer import tokenize
from paddock.frontends.boogie.parser import parse
from paddock.frontends.boogie.syntax import (
    AxiomSyntax,
    BodySyntax,
    ExprSyntax,
    FunctionCall,
    IfSyntax,
    Name,
    Operation,
    ProcedureSyntax,
)
from paddock.frontends.source import Source
from paddock.ir.expr import Op
from paddock.ir.origin import Diagnostic, InputError
from tests.unit.frontends.boogie.shown import shown


def expr(text: str) -> ExprSyntax:
    (axiom,) = parse(Source(f"axiom {text};"))
    assert isinstance(axiom, AxiomSyntax)
    return axiom.condition


def body(text: str) -> BodySyntax:
    (procedure,) = parse(Source(f"procedure p() {{ {text} }}"))
    assert isinstance(procedure, ProcedureSyntax)
    assert procedure.body is not None
    return procedure.body


def statements(text: str) -> str:
    return " ".join(map(shown, body(text).statements))


def declarations(text: str) -> str:
    return " ".join(map(shown, parse(Source(text))))


def diagnostics(text: str) -> Sequence[Diagnostic]:
    try:
        parse(Source(text))
    except InputError as error:
        return error.diagnostics
    return ()


def errors(text: str) -> list[str]:
    return [f"{d.origin.line}:{d.origin.column}: {d.message}" for d in diagnostics(text)]


def error(text: str) -> str:
    (only,) = errors(text)
    return only


# --- expressions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("a <==> b <==> c", "(<==> (<==> a b) c)"),
        ("a <==> b ==> c", "(<==> a (==> b c))"),
        ("a ==> b ==> c", "(==> a (==> b c))"),
        ("a <== b <== c", "(==> c (==> b a))"),
        ("a && b && c ==> d || e", "(==> (&& (&& a b) c) (|| d e))"),
        ("a == b && c != d", "(&& (== a b) (!= c d))"),
        ("a < b", "(< a b)"),
        ("a < b <= c", "(&& (< a b) (<= b c))"),
        ("a < b <= c == d", "(&& (&& (< a b) (<= b c)) (== c d))"),
        ("(a < b) == c", "(== (< a b) c)"),
        ("a < (b < c) < d", "(&& (< a (< b c)) (< (< b c) d))"),
        ("a == b ++ c + d", "(== a (++ b (+ c d)))"),
        ("a - b + c * d", "(+ (- a b) (* c d))"),
        ("a div b mod c * d / e", "(/ (* (mod (div a b) c) d) e)"),
        ("a * b ** c ** d", "(* a (** b (** c d)))"),
        ("-a ** b", "(** (unary - a) b)"),
        ("a ** -b", "(** a (unary - b))"),
        ("!a && b", "(&& (! a) b)"),
        ("!a == b", "(== (! a) b)"),
        ("- -!a", "(unary - (unary - (! a)))"),
        ("a - -b", "(- a (unary - b))"),
        ("!a is C", "(is (! a) C)"),
        ("a + b is C", "(+ a (is b C))"),
        ("-a: int", "(unary - (as a int))"),
        ("a + b: [int]bool == c", "(== (+ a (as b [int]bool)) c)"),
        ("-m[i]", "(unary - (select m [i]))"),
        ("m[i, j][k]", "(select (select m [i j]) [k])"),
        ("m[]", "(select m [])"),
        ("m[i, j := a + b][k]", "(select (store m [i j] (+ a b)) [k])"),
        ("m[:= a]", "(store m [] a)"),
        ("m[i: int]", "(select m [(as i int)])"),
        ("x[8:0]", "(extract x 8 0)"),
        ("x[8:0][4:2] ++ y", "(++ (extract (extract x 8 0) 4 2) y)"),
        ("d->f->g", "(get (get d f) g)"),
        ("d->(f := a + b)->g", "(get (set d f (+ a b)) g)"),
        ("f() + g(a, b + c)", "(+ f() g(a, (+ b c)))"),
        ("old(a + b) + int(r) * real(i)", "(+ (old (+ a b)) (* (int r) (real i)))"),
        ("(a + b) * c", "(* (+ a b) c)"),
        ("if a then b else c + d", "(if a b (+ c d))"),
        ("1 + if a then b else c == d", "(+ 1 (if a b (== c d)))"),
        ("(if a then if b then c else d else e)[i]", "(select (if a (if b c d) e) [i])"),
        ("¬a ⇒ b ∧ c ≠ d", "(==> (! a) (&& b (!= c d)))"),
    ],
)
def test_operators(text: str, shape: str) -> None:
    assert shown(expr(text)) == shape


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("true == false", "(== true false)"),
        ("12345678901234567890", "12345678901234567890"),
        ("1.5", "3/2"),
        ("7bv8", "7:bv8"),
        ("0x1.8e0f24e8", f"{0x3FC00000}:float24e8"),
        ("-0x1.8e0f24e8", f"{0xBFC00000}:float24e8"),
        ("- 0x1.8e0f24e8", f"(unary - {0x3FC00000}:float24e8)"),
        ("x -0x1.8e0f24e8", f"(- x {0x3FC00000}:float24e8)"),
        ("x - -0x1.8e0f24e8", f"(- x {0xBFC00000}:float24e8)"),
        ("-0NaN24e8", f"(unary - {0x7FC00000}:float24e8)"),
        ("RNE == roundTowardZero", "(== RNE:rmode RTZ:rmode)"),
        (r'"a\"b"', r"a\"b:string"),
    ],
)
def test_literals(text: str, shape: str) -> None:
    assert shown(expr(text)) == shape


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("(forall x: int :: x > 0)", "(forall [x: int] [] [] (> x 0))"),
        ("(∃ x, y: int, z: bool • z)", "(exists [x: int y: int z: bool] [] [] z)"),
        (
            '(forall<a, b> {:v} x: C a :: {:w 1, "s", x} {f(x), g(x)} {:nopats h(x)} {:u} {k(x)} p(x))',
            "(forall<a b> [{:v}x: (C a)] [{:w 1 's' x} {:u}] [{f(x) g(x)} {no h(x)} {k(x)}] p(x))",
        ),
        ("(forall<a> :: true)", "(forall<a> [] [] [] true)"),
        ("(lambda x: int :: {:a} x + 1)[3]", "(select (lambda [x: int] [{:a}] [] (+ x 1)) [3])"),
        ("(var x, {:a} y := 1, 2; {:b} x + y)", "(let [x {:a}y] [1 2] [{:b}] (+ x y))"),
        ('(forall x: int :: {:a "s" == t} x)', "(forall [x: int] [{:a (== s:string t)}] [] x)"),
    ],
)
def test_binders(text: str, shape: str) -> None:
    assert shown(expr(text)) == shape


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("int", "int"),
        ("bv32", "bv32"),
        ("(bool)", "bool"),
        ("C int a (D b)", "(C int a (D b))"),
        ("C [int]D a [bool]E", "(C [int](D a [bool]E))"),
        ("[int, C a][bool]real", "[int (C a)][bool]real"),
        ("[]int", "[]int"),
        ("<a>[C a, <b>[b]a]a", "<a>[(C a) <b>[b]a]a"),
        ("[[int]int]int", "[[int]int]int"),
        ("C left", "(C left)"),
    ],
)
def test_types(text: str, shape: str) -> None:
    (declaration,) = parse(Source(f"const c: {text};"))
    assert shown(declaration) == f"(Const c {shape} no [])"


# --- statements ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("assert {:a} x > 0;", "(Assert (> x 0) [{:a}])"),
        ("assume x;", "(Assume x [])"),
        ("havoc x, y;", "(Havoc [x y])"),
        ("x := {:a} 1;", "(Assign [(AssignTarget x [])] [1] [{:a}])"),
        (
            "x, m[i, j][k], d->f[i] := 1, 2, 3;",
            "(Assign [(AssignTarget x []) (AssignTarget m [[i j] [k]]) (AssignTarget d ['f' [i]])] [1 2 3] [])",
        ),
        ("C(x, y) := e;", "(Unpack C [x y] e [])"),
        ("call P();", "(Call P [] [] no no [])"),
        ('call {:a "s"} x, y := P(1, z);', "(Call P [1 z] [x y] no no [{:a 's'}])"),
        ("free call P();", "(Call P [] [] yes no [])"),
        ("async free call P();", "(Call P [] [] yes yes [])"),
        ("call {:async} P();", "(Call P [] [] no yes [{:async}])"),
        ("par A() | {:a} x := B(1);", "(Par [(Call A [] [] no no []) (Call B [1] [x] no no [{:a}])])"),
        ("yield; yield {:a};", "(Yield []) (Yield [{:a}])"),
        ("goto A; goto {:a} A, B;", "(Goto [A] []) (Goto [A B] [{:a}])"),
        ("return; return {:a};", "(Return []) (Return [{:a}])"),
        ("break; break L;", "(Break _) (Break L)"),
        ("A: B: x := 1;", "(Label A) (Label B) (Assign [(AssignTarget x [])] [1] [])"),
        ("if (*) { }", "(If _ [] _ [])"),
        ("if {:a} (b) { yield; } else { return; }", "(If b [(Yield [])] [(Return [])] [{:a}])"),
        ("if (a) { } else if (b) { } else { }", "(If a [] [(If b [] [] [])] [])"),
        ("if (a) { if (b) { } else { } } yield;", "(If a [(If b [] [] [])] _ []) (Yield [])"),
        (
            "while {:a} (*) invariant x; free invariant {:b} y; { break; }",
            "(While _ [(Invariant x no []) (Invariant y yes [{:b}])] [(Break _)] [{:a}])",
        ),
        ("reveal f; hide *; push; pop;", ""),
    ],
)
def test_statements(text: str, shape: str) -> None:
    assert statements(text) == shape


def test_locals() -> None:
    of = body("var x, y: int where x < y, z: bool; var {:a} m: [int]int; x := 1;")
    assert shown(of.locals) == "[x: int where (< x y) y: int where (< x y) z: bool {:a}m: [int]int]"
    assert len(of.statements) == 1


# --- declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("type T;", "(TypeDecl T [] _ [])"),
        ("type {:a} finite T a b, U c = [c]T c;", "(TypeDecl T ['a' 'b'] _ [{:a}]) (TypeDecl U ['c'] [c](T c) [{:a}])"),
        (
            "datatype {:a} L<t> { Nil(), Cons(head: t, {:b} tail: L t) }",
            "(Datatype L ['t'] [(Constructor Nil []) (Constructor Cons [head: t {:b}tail: (L t)])] [{:a}])",
        ),
        ("const {:a} unique x, y: int;", "(Const x int yes [{:a}]) (Const y int yes [{:a}])"),
        ("const x: T uses { axiom a; hideable axiom b; }", "(Const x T no []) (Axiom a []) (Axiom b [])"),
        ("function f(int, bool) returns (T);", "(Function f [] [: int : bool] T _ [])"),
        ("function f(x, y: int, z: C a): int;", "(Function f [] [x: int y: int z: (C a)] int _ [])"),
        (
            "revealed function {:inline} f<a>({:p} x: a) returns (r: a) { x } uses { axiom b; }",
            "(Function f ['a'] [{:p}x: a] a x [{:inline}]) (Axiom b [])",
        ),
        ("function f(): int uses { }", "(Function f [] [] int _ [])"),
        ("hideable axiom {:a} b;", "(Axiom b [{:a}])"),
        (
            "var {:a} x, y: int where x > 0, z: C;",
            "(Global {:a}x: int where (> x 0)) (Global {:a}y: int where (> x 0)) (Global {:a}z: C)",
        ),
        (
            "pure procedure {:a} p<t>({:b} x, y: t where w) returns (r: int where r > 0);",
            "(Procedure p ['t'] [{:b}x: t where w {:b}y: t where w] [r: int where (> r 0)] [] [] [] _ [{:a}] no yes)",
        ),
        (
            "procedure p(); ensures {:c} e; free requires f; modifies g, h; requires i; modifies ;",
            "(Procedure p [] [] [] [(Clause f yes []) (Clause i no [])] [g h] [(Clause e no [{:c}])] _ [] no no)",
        ),
        (
            "procedure p() requires a; modifies x; { var y: int; return; }",
            "(Procedure p [] [] [] [(Clause a no [])] [x] [] (Body [y: int] [(Return [])]) [] no no)",
        ),
        (
            "implementation {:a} p<t>(x: t) returns (y: t) { }",
            "(Implementation p ['t'] [x: t] [y: t] (Body [] []) [{:a}])",
        ),
    ],
)
def test_declarations(text: str, shape: str) -> None:
    assert declarations(text) == shape


def test_an_empty_text_has_no_declarations() -> None:
    assert parse(Source("")) == parse(Source("// nothing\n")) == []


CONTEXTUAL_WORDS = """
    action async atomic both complete datatype extends finite hide hideable invariants left par pop pure push reveal
    revealed right uses yield
"""


@pytest.mark.parametrize("word", CONTEXTUAL_WORDS.split())
def test_contextual_words_are_names_elsewhere(word: str) -> None:
    text = "var NAME: int; procedure NAME(NAME: NAME) { NAME: NAME := NAME + NAME(NAME); goto NAME; }"
    assert declarations(text.replace("NAME", word)) == declarations(text).replace("NAME", word)


def test_keywords_are_names_behind_a_backslash() -> None:
    assert declarations(r"var \type: \assert;") == "(Global type: assert)"
    assert declarations("type finite;") == "(TypeDecl finite [] _ [])"


def test_positions() -> None:
    text = "axiom\n  a +\n  f(b);"
    condition = parse(Source(text))[0].condition  # type: ignore[union-attr]
    assert isinstance(condition, Operation)
    assert isinstance(condition.args[1], FunctionCall)
    assert [text[p] for p in (condition.pos, condition.args[0].pos, condition.args[1].pos)] == ["+", "a", "f"]
    of = body("x := 1; ")
    assert of.statements[0].pos == len("procedure p() { ")
    assert of.end == len("procedure p() { x := 1;  ")


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("axiom a && b || c;", "1:14: '&&' and '||' are mixed"),
        ("axiom a || (b && c) && d;", "1:21: '&&' and '||' are mixed"),
        ("axiom a ==> b <== c;", "1:15: '==>' and '<==' are mixed"),
        ("axiom a <== b ==> c;", "1:15: '==>' and '<==' are mixed"),
        ("axiom a <: b;", "1:9: the partial order '<:' is not supported"),
        ("axiom |{ A: return true; }|;", "1:7: code expressions '|{ … }|' are not supported"),
        ("axiom ;", "1:7: expected an expression, found ';'"),
        ("axiom a b;", "1:9: expected ';' after the axiom, found 'b'"),
        ("axiom a", "1:8: expected ';' after the axiom, found the end of the file"),
        ("axiom f(a;", "1:10: expected ')' or ',' after an argument of 'f', found ';'"),
        ("axiom (a\n;", "2:1: expected ')' for the '(' on line 1, found ';'"),
        ("axiom (a, b);", "1:9: expected ')', found ','"),
        ("axiom m[a;", "1:10: expected ']' after the index, found ';'"),
        ("axiom x[(3:1)];", "1:11: expected a type after ':'"),
        ("axiom 256bv8 == x;", "1:7: 256 does not fit in bv8"),
        ("axiom 0x1.0000001e0f24e8 == x;", "1:7: '0x1.0000001e0f24e8' has no exact value in float24e8"),
        ("axiom forall x: int :: x;", "1:7: expected an expression, found 'forall'"),
        ("axiom (forall :: x);", "1:15: expected the name of a variable, found '::'"),
        ("axiom (forall x: int :: );", "1:25: expected an expression, found ')'"),
        ("axiom (forall x: int where x > 0 :: x);", "1:22: a where clause is not allowed on bound variables"),
        ("axiom (lambda x: int :: {f(x)} x);", "1:25: a lambda expression cannot have triggers"),
        ("axiom {:nopats a} b;", "1:7: 'nopats' is allowed only in a quantifier"),
        ("axiom (forall x: int :: {:nopats} x);", "1:25: 'nopats' needs one expression"),
        ("var x: ;", "1:8: expected a type, found ';'"),
        ("var x;", "1:6: expected ':' and a type after 'x', found ';'"),
        ("var type: int;", "1:5: expected the name of a variable, found 'type'"),
        ("const a: T extends b;", "1:12: 'extends' on a constant (the partial order '<:') is not supported"),
        ("const a: T complete;", "1:12: 'complete' on a constant (the partial order '<:') is not supported"),
        ("function f(x: int, y): int;", "1:20: the last parameter needs a type, as the others have names"),
        ("function f(C int, y: int): int;", "1:12: expected the name of a parameter, found a type"),
        ("function f(C a: int): int;", "1:12: expected a name before ':', found a type"),
        ("function f(x: int);", "1:19: expected ':' or 'returns' after the parameters of 'f', found ';'"),
        ("datatype D { A(x: int where x > 0) }", "1:23: a where clause is not allowed on a field of a datatype"),
        ("procedure p(); { }", "1:16: 'p' has a ';' after its signature, so it cannot have a body here"),
        (
            "procedure p() requires a;",
            "1:26: expected ';', a specification or a body after the signature of 'p', found the end of the file",
        ),
        ("procedure p(); free modifies x;", "1:21: expected 'requires' or 'ensures' after 'free', found 'modifies'"),
        (
            "implementation p(x: int where x > 0) { }",
            "1:25: a where clause is not allowed on the variables of an implementation; it belongs to the procedure",
        ),
        ("yield procedure p(); refines A;", "1:1: Civl declarations ('yield procedure') are not supported"),
        ("yield invariant I(); invariant a;", "1:1: Civl declarations ('yield invariant') are not supported"),
        ("async left action A() { }", "1:1: Civl declarations ('async left action') are not supported"),
        ("pure action A() { }", "1:1: Civl declarations ('pure action') are not supported"),
        ("procedure p(); refines A;", "1:16: Civl specifications ('refines') are not supported"),
        ("x := 1;", "1:1: expected a declaration, found 'x'"),
        ("procedure p() {", "1:16: expected '}' to end the body of 'p', found the end of the file"),
        ("procedure p() {\nif (*) {\n}\nprocedure q();", "4:1: expected '}' to end the body of 'p', found 'procedure'"),
        ("procedure p() {\nwhile (*) {", "2:12: expected '}' for the 'while' on line 2, found the end of the file"),
    ],
)
def test_errors_in_declarations(text: str, message: str) -> None:
    assert error(text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x := 1 y := 2;", "expected ';' after the assignment, found 'y'"),
        ("x = 1;", "expected ':=' after 'x', found '='"),
        ("x := ;", "expected an expression, found ';'"),
        ("foo(x + 1);", "expected ')' or ',' after a variable in 'foo(…)', found '+'"),
        ("foo(1);", "expected a variable to assign a field of 'foo' to, found '1'"),
        ("foo(x);", "expected ':=' after 'foo(…)', found ';'"),
        ("call P;", "expected '(' or ':=' after 'P' in the call, found ';'"),
        ("call x := P;", "expected '(' after 'P' in the call, found ';'"),
        ("free assert x;", "expected 'call' here, found 'assert'"),
        ("goto;", "expected a label, found ';'"),
        ("return true;", "expected ';' after 'return', found 'true'"),
        ("if a { x := 1; }", "expected '(' after 'if', found 'a'"),
        ("if (a) x := 1;", "expected '{' after the condition of the 'if', found 'x'"),
        ("if (a { x := 1; } else { y := 1; }", "expected ')' after the condition of the 'if', found '{'"),
        ("if (a) { } else x := 1;", "expected '{' or 'if' after 'else', found 'x'"),
        ("else { x := 1; }", "this 'else' belongs to no 'if'"),
        ("while (a) invariant b { }", "expected ';' after the invariant, found '{'"),
        ("{ x := 1; }", "expected a statement, found '{'"),
        (
            "x := 1; var y: int; y := x;",
            "local variables are declared at the start of the body, before the first statement",
        ),
        ("assert {:x ]} y > 0;", "expected an expression, found ']'"),
        ("x := (var y := ; y);", "expected an expression, found ';'"),
        ("x := (forall y: int :: {f(y) y > 0);", "expected '}' or ',' after a term of the trigger, found 'y'"),
        ("x : int;", "expected a statement, found 'int'"),
        ("type := 1;", "expected a statement, found 'type'"),
    ],
)
def test_one_error_per_mistake_in_a_body(text: str, message: str) -> None:
    """Whatever follows the mistake is read as if nothing had happened."""
    program = f"procedure p() {{ z := 1; {text} z := 2; }} procedure q() {{ z := 3; }} axiom true;"
    assert [e.split(": ", 1)[1] for e in errors(program)] == [message]


def test_keywords_as_names_get_a_hint() -> None:
    (found,) = diagnostics("const type: int;")
    assert found.hint == "'type' is a keyword; as a name it is written \\type"


def test_several_errors_in_one_run() -> None:
    text = """
        const x int;
        function f(x: int): int { x + }
        axiom x > 0;
        procedure p() {
          x := ;
          y := 1;
          if (y) { assert; assume 256bv8 == 1bv1; }
          z := 2 2;
        }
        implementation p( { x := 1; }
        axiom x ==> ;
    """
    assert [e.split(":")[0] for e in errors(text)] == ["2", "3", "6", "8", "8", "9", "11", "12"]


def test_not_more_errors_than_a_person_reads() -> None:
    assert len(errors("procedure p() { " + "x := ;\n" * 1000 + "}")) <= 21


# --- depth and length ----------------------------------------------------------------------------

N = 1_500  # more than three times the stack below
DEEP = {
    "conjunction": "axiom " + " && ".join(["a"] * N) + ";",
    "implication": "axiom " + " ==> ".join(["a"] * N) + ";",
    "powers": "axiom " + " ** ".join(["a"] * N) + ";",
    "chain": "axiom a" + " < a" * N + ";",
    "negations": "axiom " + "!" * N + "a;",
    "parentheses": "axiom " + "(" * N + "a" + ")" * N + ";",
    "else": "axiom " + "if a then b else " * N + "c;",
    "condition": "axiom " + "if " * N + "a" + " then b else c" * N + ";",
    "quantifiers": "axiom " + "(forall x: int :: " * N + "a" + ")" * N + ";",
    "triggers": "axiom " + "(forall x: int :: {" * N + "a" + "} b)" * N + ";",
    "attributes": "axiom " + "(forall {:a " * N + "b" + "} x: int :: c)" * N + ";",
    "lets": "axiom " + "(var x := " * N + "a" + "; x)" * N + ";",
    "indices": "axiom " + "m[" * N + "a" + "]" * N + ";",
    "selections": "axiom m" + "[a]" * N + ";",
    "stores": "axiom " + "m[a := " * N + "b" + "]" * N + ";",
    "calls": "axiom " + "f(" * N + "a" + ")" * N + ";",
    "fields": "axiom a" + "->f" * N + ";",
    "updates": "axiom " + "a->(f := " * N + "b" + ")" * N + ";",
    "coercions": "axiom a" + ": int" * N + ";",
    "map ranges": "var x: " + "[int]" * N + "int;",
    "map domains": "var x: " + "[" * N + "int" + "]int" * N + ";",
    "type arguments": "var x: " + "C (" * N + "int" + ")" * N + ";",
    "statements": "procedure p() {" + "x := x;\n" * N + "}",
    "if": "procedure p() {" + "if (*) {" * N + "}" * N + "}",
    "while": "procedure p() {" + "while (*) {" * N + "}" * N + "}",
    "else if": "procedure p() { if (a) {}" + " else if (a) {}" * N + "}",
    "else block": "procedure p() {" + "if (a) {} else {" * N + "}" * N + "}",
    "comments": "/*" * N + "*/" * N + "axiom a;",
}


@contextmanager
def little_stack() -> Iterator[None]:
    """A stack on which nothing that recurses on the depth of its input gets far."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(500)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("name", DEEP)
def test_depth_does_not_matter(name: str) -> None:
    with little_stack():
        assert len(parse(Source(DEEP[name]))) == 1


def test_deep_chains_nest_as_they_should() -> None:
    node = expr(" && ".join(["a"] * 1000))
    for _ in range(999):
        assert isinstance(node, Operation)
        assert node.op is Op.AND
        assert isinstance(node.args[1], Name)
        node = node.args[0]
    assert isinstance(node, Name)
    (statement,) = body("if (a) {}" + " else if (a) {}" * 1000).statements
    for _ in range(1000):
        assert isinstance(statement, IfSyntax)
        assert statement.otherwise is not None
        (statement,) = statement.otherwise


@pytest.mark.parametrize("name", [name for name, text in DEEP.items() if len(text) < 400_000])
def test_deep_text_cut_short_is_an_ordinary_error(name: str) -> None:
    with little_stack(), pytest.raises(InputError):
        parse(Source(DEEP[name][:-2]))


# --- nothing but InputError ----------------------------------------------------------------------

SAMPLE = """
type {:a} finite T a; type U = [int]bool; datatype D<t> { A(x: t), B() }
const unique c, d: T int; function {:inline} f<a>(x: a, y: int): int { if x == x then y else -y }
axiom (forall<a> x: a, y: int :: {:w 1} { f(x, y) } {:nopats c} f(x, y) > 0 ==> y[8:0] ++ 1bv8 == 2bv16);
var m: [int][int]int where m[0][1] < 2 <= 3; var {:b "s"} g: int;
procedure {:entry} p(x: int where x > 0) returns (r: int); requires a && b; free ensures old(g) == g; modifies g, m;
implementation p(x: int) returns (r: int) {
  var i: int where i > 0, j: bool; var k: D int;
  L: i, m[1][2] := 1.5e3, (lambda z: int :: z)[3]; A(i) := k; k->x := k->(x := 1)->x;
  while (*) invariant {:c} i is A; free invariant j; { if (j) { break L; } else if (*) { call i := p(3); } else { } }
  async call p(1); par p(1) | i := p(2); yield; havoc i, j; assert {:d} (var q := 1; q) == 0x1.8e0f24e8;
  goto L, M; M: reveal f; return;
}
"""


@pytest.mark.parametrize("seed", range(20))
def test_edited_programs_give_clean_errors(seed: int) -> None:
    rng = random.Random(seed)
    tokens = tokenize(Source(SAMPLE)).texts
    for _ in range(40):
        edited = list(tokens)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(edited))
            match rng.randrange(4):
                case 0:
                    del edited[at]
                case 1:
                    edited.insert(at, rng.choice(tokens))
                case 2:
                    edited[at] = rng.choice(tokens)
                case _:
                    other = rng.randrange(len(edited))
                    edited[at], edited[other] = edited[other], edited[at]
        found = diagnostics(" ".join(edited))
        assert len(found) <= 21
        places = [(d.origin.line, d.origin.column) for d in found if d.origin.line]
        assert places == sorted(places)


def test_the_sample_itself_is_fine() -> None:
    assert len(parse(Source(SAMPLE))) == 11


def test_a_missing_token_does_not_set_off_an_avalanche() -> None:
    tokens = tokenize(Source(SAMPLE))
    for pos, text in zip(tokens.positions[:-1], tokens.texts, strict=False):
        assert len(diagnostics(SAMPLE[:pos] + SAMPLE[pos + len(text) :])) <= 2
