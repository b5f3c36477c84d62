"""Regular expressions on strings: the same as Z3 says of random ones."""

from __future__ import annotations

import random

import pytest
import z3

from paddock.trace import regexes
from paddock.trace.regexes import REGEXES
from paddock.trace.values import Regex, Undecided

LEAVES = ["str.to_re", "re.range", "re.none", "re.all", "re.allchar"]
UNARY = ["re.*", "re.+", "re.opt", "re.comp", "re.^", "re.loop"]
BINARY = ["re.++", "re.union", "re.inter", "re.diff"]
WORDS = ["", "a", "b", "ab", "ba", "aab", "abab", "bbba"]


def pair(chance: random.Random, depth: int) -> tuple[Regex, z3.ReRef]:
    """A random expression, ours and Z3's."""
    if depth == 0:
        op = chance.choice(LEAVES)
        text, low, high = chance.choice(WORDS[:4]), *sorted(chance.choices("abc", k=2))
        empty, full = z3.Empty(z3.ReSort(z3.StringSort())), z3.Full(z3.ReSort(z3.StringSort()))
        match op:
            case "str.to_re":
                return Regex(op, (text,)), z3.Re(text)
            case "re.range":
                return Regex(op, (low, high)), z3.Range(low, high)
            case "re.none":
                return Regex(op), empty
            case "re.all":
                return Regex(op), full
            case _:
                return Regex(op), z3.AllChar(z3.ReSort(z3.StringSort()))
    op = chance.choice([*UNARY, *BINARY])
    ours, theirs = pair(chance, depth - 1)
    if op in BINARY:
        other, their_other = pair(chance, depth - 1)
        joined = {
            "re.++": lambda: z3.Concat(theirs, their_other),
            "re.union": lambda: z3.Union(theirs, their_other),
            "re.inter": lambda: z3.Intersect(theirs, their_other),
            "re.diff": lambda: z3.Diff(theirs, their_other),
        }[op]()
        return Regex(op, (ours, other)), joined
    low, high = sorted(chance.choices(range(4), k=2))
    match op:
        case "re.*":
            return Regex(op, (ours,)), z3.Star(theirs)
        case "re.+":
            return Regex(op, (ours,)), z3.Plus(theirs)
        case "re.opt":
            return Regex(op, (ours,)), z3.Option(theirs)
        case "re.comp":
            return Regex(op, (ours,)), z3.Complement(theirs)
        case "re.^":
            return Regex(op, (ours,), (high,)), z3.Loop(theirs, high, high) if high else z3.Re("")
        case _:
            return Regex(op, (ours,), (low, high)), z3.Loop(theirs, low, high) if high else z3.Re("")


@pytest.mark.parametrize("seed", range(60))
def test_membership(seed: int) -> None:
    chance = random.Random(seed)
    ours, theirs = pair(chance, 3)
    for word in WORDS:
        solver = z3.Solver()
        solver.set("timeout", 20_000)
        solver.add(z3.InRe(z3.StringVal(word), theirs))
        said = solver.check()
        if said != z3.unknown:
            assert regexes.is_in(word, ours) == (said == z3.sat), (word, theirs)


def test_replacing() -> None:
    digits = Regex("re.+", (Regex("re.range", ("0", "9")),))
    assert regexes.replaced("ab12c3", digits, "#") == "ab#2c3"  # the shortest match
    assert regexes.all_replaced("ab12c3", digits, "#") == "ab##c#"
    assert regexes.replaced("ab", Regex("re.*", (digits,)), "#") == "#ab"
    assert regexes.all_replaced("ab", Regex("re.*", (digits,)), "#") == "ab"
    assert regexes.replaced("ab", digits, "#") == "ab"


def test_what_is_not_told() -> None:
    a = Regex("str.to_re", ("a",))
    assert a == a
    with pytest.raises(Undecided):
        assert a == Regex("str.to_re", ("a",))
    with pytest.raises(Undecided):
        regexes.is_in("a" * 5000, a)
    with pytest.raises(Undecided):
        regexes.is_in("aa", Regex("re.^", (a,), (10**9,)))


def test_deep_expressions() -> None:
    regex = REGEXES["str.to_re"]("a")
    for _ in range(20_000):
        regex = REGEXES["re.opt"](regex)
    assert regexes.is_in("", regex) and regexes.is_in("a", regex) and not regexes.is_in("aa", regex)
