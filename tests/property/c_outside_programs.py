"""Random C functions with pointers as parameters, each called natively with all that a caller may know.

A function assigns small numbers through its parameters and to globals, and asserts something of them. A caller tries
all arguments that can make a difference: null, parts of globals, and objects of its own, with all contents that the
function may ask for. There is a bug if one of these calls fails, and no other way to get one.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.property.c_native import HEADERS, PLAIN, built_and_run

SMALL = (0, 1, 2)
TOP = """
struct pair { int a; int *where; int b; };
int g, h[2];
static int hidden;
struct pair s;
"""
# What is known to a caller; `own` is its own, with any content.
INTS = ["0", "&g", "&h[0]", "&h[1]", "&s.a", "&s.b", "&own[0]", "&own[1]", "&mine.a"]
PAIRS = ["0", "&s", "&mine"]
PARAMETERS = "int *p, int *q, struct pair *r, int **w"
PLACES = ["0", "&s.where", "&mine.where", "&mine_too"]


CALLS = len(INTS) ** 4 * len(PAIRS) * len(PLACES) * len(SMALL) ** 2


@dataclass(frozen=True)
class OutsideProgram:
    """The body of a function `f`."""

    body: tuple[str, ...]

    @property
    def text(self) -> str:
        """The program as Paddock gets it."""
        lines = "\n".join(f"  {line}" for line in self.body)
        return f"#include <assert.h>\n{TOP}void f({PARAMETERS}) {{\n  int here = 1;\n{lines}\n}}\n"

    @property
    def text_of_results(self) -> str:
        """The program with results of functions without a body in place of parameters."""
        lines = "\n".join(f"  {line}" for line in self.body)
        declared = PARAMETERS.split(", ")
        functions = "".join(f"{parameter[:-1]}get_{parameter[-1]}(void);\n" for parameter in declared)
        results = "".join(f"  {parameter} = get_{parameter[-1]}();\n" for parameter in declared)
        return f"#include <assert.h>\n{TOP}{functions}int main(void) {{\n  int here = 1;\n{results}{lines}\n}}\n"

    def numbered(self, number: int) -> str:
        """A function that tells whether a call fails, and one that tries all calls."""
        lines = "\n".join(f"  {line}" for line in self.body).replace("assert(", "CHECK(")
        return f"""
static int f_{number}({PARAMETERS}) {{
  int here = 1;
{lines}
  return 0;
}}
static int try_{number}(void) {{
  for (int n = 0; n < {CALLS}; n++) if (CALL(f_{number}, n)) return 1;
  return 0;
}}
"""


RUNNER = f"""
#define CHECK(c) do {{ if (!(c)) return 1; }} while (0)
{TOP}
static int own[2], *mine_too;
static struct pair mine;
static int called(int (*f)({PARAMETERS}), int n) {{
  int *ints[] = {{{", ".join(INTS)}}};
  struct pair *pairs[] = {{{", ".join(PAIRS)}}};
  int **places[] = {{{", ".join(PLACES)}}};
#define TAKEN(limit) (taken = n % (limit), n /= (limit), taken)
  int taken;
  g = h[0] = h[1] = hidden = 0;
  s = (struct pair){{0}};
  int *p = ints[TAKEN({len(INTS)})], *q = ints[TAKEN({len(INTS)})];
  struct pair *r = pairs[TAKEN({len(PAIRS)})];
  int **w = places[TAKEN({len(PLACES)})];
  mine.where = ints[TAKEN({len(INTS)})], mine_too = ints[TAKEN({len(INTS)})];
  own[0] = mine.a = TAKEN({len(SMALL)}), own[1] = mine.b = TAKEN({len(SMALL)});
  return f(p, q, r, w);
}}
#define CALL(f, n) called(f, n)
"""


def outside_program(seed: int) -> OutsideProgram:
    """The program of a seed."""
    rng = random.Random(seed)
    return OutsideProgram((*(_statement(rng) for _ in range(rng.randint(2, 5))), f"assert({_condition(rng)});"))


def _place(rng: random.Random) -> tuple[str, str]:
    """Somewhere to find an `int`, and what must hold before one looks."""
    return rng.choice(
        [
            ("g", "1"),
            ("h[1]", "1"),
            ("s.a", "1"),
            ("s.b", "1"),
            ("hidden", "1"),
            ("here", "1"),
            ("*p", "(p)"),
            ("*q", "(q)"),
            ("r->a", "(r)"),
            ("r->b", "(r)"),
            ("*r->where", "(r) && r->where"),
            ("**w", "(w) && *w"),
        ]
    )


def _pointer(rng: random.Random) -> tuple[str, str]:
    """A pointer, and what must hold before one looks."""
    return rng.choice(
        [
            *(("p", "1"), ("q", "1"), ("r->where", "(r)"), ("*w", "(w)"), ("s.where", "1")),
            *(("&g", "1"), ("h + 1", "1"), ("&s.b", "1"), ("&hidden", "1"), ("&here", "1"), ("&r->a", "(r)")),
        ]
    )


def _test(rng: random.Random) -> str:
    if rng.random() < 0.5:
        (a, asks), (b, also) = _pointer(rng), _pointer(rng)
        return f"{asks} && {also} && {a} == {b}"
    place, asks = _place(rng)
    return f"{asks} && {place} == {rng.choice(SMALL)}"


def _statement(rng: random.Random) -> str:
    place, asks = _place(rng)
    store = f"{place} = {rng.choice(SMALL)};"
    if rng.random() < 0.15:
        (kept, asks), (value, also) = rng.choice([("s.where", "1"), ("r->where", "(r)"), ("*w", "(w)")]), _pointer(rng)
        asks, store = f"{asks} && {also}", f"{kept} = {value};"
    if rng.random() < 0.4:
        asks = f"{_test(rng)} && {asks}"
    return f"if ({asks}) {store}"


def _condition(rng: random.Random) -> str:
    """What holds often, but not always."""
    place, asks = _place(rng)
    claim = f"!({asks}) || {place} {rng.choice(['==', '!='])} {rng.choice(SMALL)}"
    return f"!({_test(rng)}) || {claim}" if rng.random() < 0.7 else claim


def have_bugs(programs: Sequence[OutsideProgram]) -> list[bool]:
    """Of each program, whether some call fails."""
    texts = [HEADERS, RUNNER, *(program.numbered(n) for n, program in enumerate(programs))]
    calls = "".join(f'printf("%d\\n", try_{n}());\n' for n in range(len(programs)))
    with tempfile.TemporaryDirectory() as name:
        printed = built_and_run("".join([*texts, f"int main(void) {{\n{calls}}}\n"]), [*PLAIN, "-O1"], Path(name))
    return [line == "1" for line in printed.split()]
