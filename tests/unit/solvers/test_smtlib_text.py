"""Terms as text, and S-expressions back from text."""

from __future__ import annotations

from typing import cast

import pytest

from paddock.solvers.ops import Op
from paddock.solvers.sexpr import Sexpr, Stream, expression_text, parse, string_value, symbol_name, without_lets
from paddock.solvers.smtlib.script import Script
from paddock.solvers.smtlib.text import Node, clean_name, free_variables, symbol_text, term_text, unused_name
from paddock.solvers.sorts import INT

A, B = Node("a", (), INT), Node("b", (), INT)


def plus(*args: Node) -> Node:
    return Node("+", args, INT)


def test_trees_are_printed_plainly() -> None:
    assert term_text(A) == "a"
    assert term_text(plus(A, plus(A, B))) == "(+ a (+ a b))"


def test_shared_terms_are_printed_once() -> None:
    inner = plus(A, B)
    other = plus(B, B)
    middle = plus(inner, inner, other, other)
    expected = "(let ((?0 (+ a b))(?1 (+ b b))) (let ((?2 (+ ?0 ?0 ?1 ?1))) (+ ?2 ?2)))"
    assert term_text(plus(middle, middle)) == expected


def test_a_binder_is_a_scope_of_its_own() -> None:
    script = Script()
    x = script.variable("x", INT)
    assert isinstance(x, Node)
    twice = plus(x, A)
    body = Node("=", (twice, twice), INT)
    forall = script.quantify(True, [x], body)  # type: ignore[arg-type]
    assert isinstance(forall, Node)
    text = term_text(Node("and", (forall, forall), INT))
    assert text == "(let ((?0 (forall ((x Int)) (let ((?0 (+ x a))) (= ?0 ?0))))) (and ?0 ?0))"
    assert twice.open and not forall.open


def test_free_variables() -> None:
    script = Script()
    x, y = script.variable("x", INT), script.variable("y", INT)
    assert isinstance(x, Node) and isinstance(y, Node)
    inner = script.quantify(True, [x], plus(x, y))  # type: ignore[arg-type]
    assert isinstance(inner, Node)
    assert inner.open
    assert free_variables([inner, A]) == [y]
    assert free_variables([plus(y, x, y)]) == [y, x]
    assert free_variables([plus(y, x)], [y]) == [x]


def test_text_is_linear_in_the_graph() -> None:
    term = A
    for _ in range(100):
        term = plus(term, term)
    assert len(term_text(term)) < 100 * 40


def test_nothing_recurses() -> None:
    term = A
    for _ in range(10_000):
        term = plus(B, term)
    text = term_text(term)
    (expression,) = parse(text)
    assert expression_text(expression) == text
    script = Script()
    quantified = A
    for _ in range(2_000):
        quantified = script.quantify(True, [script.variable("x", INT)], quantified)  # type: ignore[arg-type, assignment]
    assert term_text(quantified).count("forall") == 2_000


@pytest.mark.parametrize(
    ("name", "text"),
    [("x", "x"), ("x y", "|x y|"), ("1", "|1|"), ("a.b!c", "a.b!c"), ("a|b", "a%7cb"), ("a\\", "a%5c"), ("é", "%e9")],
)
def test_symbols(name: str, text: str) -> None:
    assert symbol_text(clean_name(name)) == text
    assert symbol_name(text) == clean_name(name)


def test_names_are_told_apart() -> None:
    taken = {"and": 1}
    names = ["x", "x", "x", "x!1", "and", "a|b", "a%7cb", "@x", "?0", ""]
    assert [unused_name(name, taken) for name in names] == [
        "x",
        "x!1",
        "x!2",
        "x!1!1",
        "and!1",
        "a%7cb",
        "a%7cb!1",
        "_@x",
        "_?0",
        "_",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("sat", ["sat"]),
        ('(a (b) () |x (y| "s ("" )") ; (comment\nc', [["a", ["b"], [], "|x (y|", '"s ("" )"'], "c"]),
        ("a(b)c", ["a", ["b"], "c"]),
    ],
)
def test_parsing(text: str, expected: list[Sexpr]) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize("text", ["(", ")", "(a))", "((a)"])
def test_unbalanced_text(text: str) -> None:
    with pytest.raises(ValueError, match="parenthesis"):
        parse(text)


def test_a_stream_in_pieces() -> None:
    text = 'sat\n(a "(\n" |)\n|\n b) ; ( comment\nc\n'
    whole = parse(text)
    for size in range(1, len(text)):
        stream = Stream()
        found: list[Sexpr] = []
        for start in range(0, len(text), size):
            found += stream.feed(text[start : start + size])
        assert (found, stream.rest) == (whole, "")


def test_what_is_left_of_a_stream() -> None:
    stream = Stream()
    assert stream.feed("one\n(two") == ["one"]
    assert stream.rest == "(two"


def test_lets_are_filled_in() -> None:
    (expression,) = parse("(let ((a 1) (b (f 2))) (let ((c (g a b))) (h c c a)))")
    assert without_lets(expression) == parse("(h (g 1 (f 2)) (g 1 (f 2)) 1)")[0]
    (plain,) = parse("(f a)")
    assert without_lets(plain) == plain


def test_string_values() -> None:
    assert string_value('"a""b\\u{e9}\\u00e9\\n"') == 'a"béé\\n'


def test_a_term_that_is_an_argument_again_and_again_is_written_once() -> None:
    script = Script()
    x = script.variable("x", INT)
    step = script.template([x], script.app(Op.ADD, (x, x)))
    claim = script.template([x], script.app(Op.GT, (x, script.literal(0, INT))))
    term = script.constant("start", INT)
    for _ in range(100):
        script.assert_(script.instantiate(claim, (term,)))  # noqa: PT009
        term = script.instantiate(step, (term,))
    assert max(len(command) for command in script.commands) < 60


def test_an_instance_of_a_parameter_is_the_argument() -> None:
    script = Script()
    x, y, z = (script.variable(name, INT) for name in "xyz")
    start, end = script.constant("start", INT), script.constant("end", INT)
    assert script.instantiate(script.template([x, y], y), (start, end)) is end
    # A term with variables is for its place alone: no name could stand for it.
    twice = script.template([x], script.app(Op.ADD, (x, x)))
    inner = script.instantiate(twice, (script.app(Op.ADD, (z, start)),))
    assert "(+ z start)" in term_text(cast(Node, inner))
