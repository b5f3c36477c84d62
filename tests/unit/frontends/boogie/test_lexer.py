from __future__ import annotations

import pytest

from paddock.frontends.boogie.lexer import BITVECTOR, END, FLOAT, IDENTIFIER, INTEGER, REAL, ROUNDING, tokenize
from paddock.frontends.source import Source
from paddock.ir.origin import InputError


def kinds(text: str) -> list[str]:
    tokens = tokenize(Source(text))
    assert len(tokens.kinds) == len(tokens.texts) == len(tokens.positions)
    assert tokens.kinds[-1] == END
    return tokens.kinds[:-1]


def texts(text: str) -> list[str]:
    return tokenize(Source(text)).texts[:-1]


def errors(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(InputError) as raised:
        tokenize(Source(text))
    return [(d.origin.line, d.origin.column, d.message) for d in raised.value.diagnostics]


def test_longest_operator_wins() -> None:
    text = "<==> ==> <== <= < == = != ! := :: : -> - && || | ++ + ** * / > >= <:"
    assert kinds(text) == text.split()
    assert kinds("a:=-b") == [IDENTIFIER, ":=", "-", IDENTIFIER]
    assert kinds("f<a>[a]int") == [IDENTIFIER, "<", IDENTIFIER, ">", "[", IDENTIFIER, "]", "int"]


def test_attribute_braces_are_one_token() -> None:
    assert kinds("{:a} { : b} { x }") == ["{:", IDENTIFIER, "}", "{:", IDENTIFIER, "}", "{", IDENTIFIER, "}"]
    assert kinds("A()|{:a}B()")[3:5] == ["|", "{:"]
    assert kinds("|{ }|")[0] == "|{"


def test_identifiers() -> None:
    name = "a'~#$^_.?`9"
    assert kinds(name) == [IDENTIFIER] and texts(name) == [name]
    assert kinds("assert \\assert") == ["assert", IDENTIFIER]
    assert texts("assert \\assert") == ["assert", "assert"]
    assert kinds("left uses") == ["left", "uses"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("12", INTEGER),
        ("5bv32", BITVECTOR),
        ("1e5", REAL),
        ("1.5", REAL),
        ("1.5e-3", REAL),
        ("0x1.8e0f24e8", FLOAT),
        ("0xfe.fee-3f24e8", FLOAT),
        ("0NaN24e8", FLOAT),
        ("0nan24e8", FLOAT),
        ("0+oo24e8", FLOAT),
        ("0-oo24e8", FLOAT),
        ("RNE", ROUNDING),
        ("roundTowardZero", ROUNDING),
    ],
)
def test_literals_are_one_token(text: str, kind: str) -> None:
    assert kinds(text) == [kind]
    assert kinds(f"({text};") == ["(", kind, ";"]


def test_a_number_ends_where_it_stops_being_one() -> None:
    assert texts("9a 1. 1e 0x1") == ["9", "a", "1", ".", "1", "e", "0", "x1"]
    assert kinds("x -0x1.8e0f24e8") == [IDENTIFIER, "-", FLOAT]


def test_strings() -> None:
    assert texts(r'"a \" b" "c"') == [r'"a \" b"', '"c"']
    # As in Boogie: a quote behind a backslash ends the string if no other quote can.
    assert texts('"C:\\" x\n"y"') == ['"C:\\"', "x", '"y"']
    assert texts('"// no comment" "/* nor this" // but this "x"') == ['"// no comment"', '"/* nor this"']


def test_unicode_operators() -> None:
    text = "a ⇔ b ⇒ c ⇐ d ∧ e ∨ f ≠ g ≤ h ≥ ¬ ∀ ∃ λ •"
    assert [k for k in kinds(text) if k != IDENTIFIER] == (
        "<==> ==> <== && || != <= >= ! forall exists lambda ::".split()
    )


def test_comments_are_spaces() -> None:
    assert texts("a/* x */b // c\n/* /* nested */ still */ d//") == ["a", "b", "d"]
    assert texts("/* // */ a") == ["a"]
    assert texts("// /*\na") == ["a"]
    assert kinds("") == kinds("  \n") == kinds("// nothing") == []


def test_positions_are_offsets_into_the_text() -> None:
    text = "\ufeff\r\n  var x: int; // c\r\n\tassert \\x;\n\n"
    tokens = tokenize(Source(text))
    assert [text[p] for p in tokens.positions[:-1]] == ["v", "x", ":", "i", ";", "a", "\\", ";"]
    assert tokens.positions[-1] == text.rindex(";") + 1


def test_unknown_characters_are_all_reported() -> None:
    assert errors("a @ b\n  % c") == [
        (1, 3, "unexpected character '@'"),
        (2, 3, "unexpected character '%'"),
    ]
    assert errors("\\ ")[0][:2] == (1, 1)
    assert errors("x é")[0] == (1, 3, "unexpected character 'é'")


def test_unterminated_string_and_comment() -> None:
    assert errors('a\n  "b\n"c"') == [(2, 3, "this string is not closed on its line")]
    assert errors("a /* b /* c */ d") == [(1, 3, "this comment is not closed: '*/' is missing")]


def test_endless_numbers_are_refused() -> None:
    assert errors(f"a {'1' * 100_001} b") == [(1, 3, "this number has more than 100000 digits")]


@pytest.mark.parametrize("junk", ["\x7fELF\x01\x02\x03@@@", "PK\x03\x04\x00\x00", "\ufffd\ufffd\ufffd", "a\x00b\x00"])
def test_binary_data_is_one_error(junk: str) -> None:
    assert len(errors(junk)) == 1
