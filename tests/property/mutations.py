"""Random edits of real programs: tokens are dropped, doubled, swapped, replaced by others of the file, of another file
or of their own kind. What comes of it looks like a program, and is wrong in ways that were not thought of."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.property.c_memory_programs import memory_program
from tests.property.executable_programs import random_executable
from tests.property.programs import random_program

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
MAX_CHARACTERS = 6000
TOKEN = re.compile(
    r"""\s+|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[\w.#$~^?`]+|[-=<>:+&|!*]+|.""", re.DOTALL
)
NAME = re.compile(r"(?!\d)\w+$")
NUMBER = re.compile(r"\d\w*$")

C_KINDS = [
    "+ - * / % << >> & | ^ && || == != < <= > >= = += -= *= /= <<= >>= , ->".split(),
    "! ~ - & * ++ -- sizeof".split(),
    ["long double", "__int128", *"char short int long unsigned signed float double _Bool void".split()],
    "struct union enum".split(),
    '0 1 2 3 7 8 31 32 64 255 -1 0x7fffffff 4294967295u 1e10 0.5f 18446744073709551616 \'a\' "ab" L"x"'.split(),
    "if while for switch do return goto break continue case default".split(),
    "static extern const volatile register typedef inline _Atomic _Thread_local".split(),
    "memcpy memset memmove malloc free calloc realloc strlen strcmp printf assert abort exit sizeof".split(),
    "__VERIFIER_nondet_int __VERIFIER_assume __VERIFIER_assert reach_error __CPROVER_assert __CPROVER_assume".split(),
]
BOOGIE_KINDS = [
    "== != < <= > >= <:".split(),
    "&& || ==> <==> <==".split(),
    "+ - * div mod / ** ++".split(),
    "int bool real bv8 bv0 bv32 float24e8 rmode string".split(),
    "0 1 2 4 8 1.5 1e3 0bv8 255bv8 true false RNE 0x1.0e0f24e8".split(),
    "forall exists lambda".split(),
    "assert assume".split(),
    "requires ensures invariant modifies".split(),
    "procedure implementation function axiom const type var".split(),
    "call havoc goto return break while if".split(),
    "free unique async par where old".split(),
]
KINDS = {"c": C_KINDS, "boogie": BOOGIE_KINDS}


def programs(language: str) -> list[str]:
    """Real programs: examples, those of tests, those beside the project, and random ones."""
    endings = {"c": (".c", ".i"), "boogie": (".bpl",)}[language]
    folders = [ROOT / "examples", ROOT / "tests" / "golden", SHARED / "findings", SHARED / "svcomp"]
    files = [p for f in folders if f.exists() for p in sorted(f.rglob("*")) if p.suffix in endings and p.is_file()]
    texts = [p.read_text(encoding="utf-8", errors="replace") for p in files if p.stat().st_size <= MAX_CHARACTERS]
    if language == "c":
        texts += [text for path in sorted((ROOT / "tests").rglob("test_c*.py")) for text in _embedded(path)]
        return texts + [memory_program(seed).asking(seed)[0] for seed in range(60)]
    chance = random.Random(0)
    return texts + [make(chance) for _ in range(30) for make in (random_program, random_executable)]


def _embedded(path: Path) -> Iterator[str]:
    """The C programs in the strings of a file of tests."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and "main(" in node.value
            and "{{" not in node.value
        ):
            yield node.value


def tokens_of(text: str) -> list[str]:
    return TOKEN.findall(text) or [" "]


def mutated(texts: Sequence[str], language: str, chance: random.Random) -> str:
    """One of the texts with a few of its tokens changed. Most edits keep the syntax: what does not parse ends early."""
    tokens = tokens_of(chance.choice(texts))
    for _ in range(chance.choice([1, 1, 1, 1, 2, 3])):
        at = chance.randrange(len(tokens))
        r = chance.random()
        if r < 0.7:
            _replace_alike(tokens, at, KINDS[language], chance)
        elif r < 0.8:
            _replace_from(tokens, at, tokens_of(chance.choice(texts)), chance)
        else:
            _spoil(tokens, at, chance)
        tokens = tokens or [" "]
    return "".join(tokens)


def _replace_alike(tokens: list[str], at: int, kinds: Sequence[Sequence[str]], chance: random.Random) -> None:
    """Replace the next token that has a kind by another of it: an operator, a type, a keyword, a name."""
    for index in range(at, len(tokens)):
        token = tokens[index]
        alike = [kind for kind in kinds if token in kind]
        if alike:
            tokens[index] = chance.choice(chance.choice(alike))
            return
        if NUMBER.match(token):
            tokens[index] = chance.choice(kinds[4])
            return
        if NAME.match(token) and chance.random() < 0.2:
            tokens[index] = chance.choice([t for t in tokens if NAME.match(t)])
            return


def _replace_from(tokens: list[str], at: int, others: list[str], chance: random.Random) -> None:
    """Put a few tokens of another program in the place of one."""
    start = chance.randrange(len(others))
    tokens[at : at + 1] = others[start : start + chance.choice([1, 1, 3, 8])]


def _spoil(tokens: list[str], at: int, chance: random.Random) -> None:
    other = chance.randrange(len(tokens))
    match chance.randrange(6):
        case 0:
            tokens[at] = ""
        case 1:
            tokens[at] = tokens[at] + " " + tokens[at]
        case 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 3:
            tokens[at] = tokens[other]
        case 4:  # a whole line goes
            line = "".join(tokens[:at]).count("\n")
            lines = "".join(tokens).splitlines(keepends=True)
            tokens[:] = tokens_of("".join(lines[:line] + lines[line + 1 :]))
        case 5:
            tokens.insert(at, tokens[other])
