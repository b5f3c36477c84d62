"""Random C programs whose subject is memory, in the spirit of Csmith: deterministic, free of undefined behaviour by
construction, and with a checksum to be compared with what gcc's program computes.

A program is made from its seed and its size alone. Each one uses a few features only (swarm testing), so that it is
small, a fault is seen where features meet, and the solver has an easy time.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.property.c_layouts import Array, has_pointers, initialiser
from tests.property.c_library_statements import CLASSIFICATIONS, Lines
from tests.property.c_memory_functions import Functions
from tests.property.c_memory_places import Object, Places
from tests.property.c_memory_statements import Statements

FEATURES = "union pointer bits copy pun memory chain switch goto loop call float string".split()
RARE = "errno builtin drop scan names".split()  # one of these now and then
NAMES = ["index@", "log@", "round@", "exp@"]  # of functions of the library, which no header declares
MIX = "#define MIX(v) (sum = (sum << 7 | sum >> 57) ^ (unsigned long)(v))"
PROTOTYPES = {
    "malloc": "void *malloc(unsigned long);",
    "free": "void free(void *);",
    "memset": "void *memset(void *, int, unsigned long);",
    "memcpy": "void *memcpy(void *, const void *, unsigned long);",
    "memmove": "void *memmove(void *, const void *, unsigned long);",
    "memcmp": "int memcmp(const void *, const void *, unsigned long);",
    "strlen": "unsigned long strlen(const char *);",
    "strcmp": "int strcmp(const char *, const char *);",
    "strncmp": "int strncmp(const char *, const char *, unsigned long);",
    "strchr": "char *strchr(const char *, int);",
    "strrchr": "char *strrchr(const char *, int);",
    "strcpy": "char *strcpy(char *, const char *);",
    "strcat": "char *strcat(char *, const char *);",
    "sqrt": "double sqrt(double);",
}


@dataclass(frozen=True)
class MemoryProgram:
    """The lines of a program: what is at file scope, and what is done. Names at file scope end in `@`."""

    top: tuple[str, ...]
    body: tuple[str, ...]
    checks_all: bool = False  # whether it is asked, too, if anything is undefined

    def numbered(self, number: int) -> str:
        """The program as a function among others, which has to include the headers and define `sum` and `MIX`."""
        lines = [*self.top, "static void run@(void) {", *self.body, "}"]
        return "\n".join(lines).replace("@", f"_{number}") + "\n"

    def asking(self, checksum: int) -> tuple[str, int]:
        """The program as one that asserts what the checksum is, and then that it is something else; and the line of
        the first of these assertions, which the second one follows."""
        before = [*prototypes_for(self.top + self.body), "static unsigned long sum;", MIX]
        asked = [f'if (!(sum {op} {checksum}UL)) __assert_fail("{op}", "", 0, "");' for op in ("==", "!=")]
        lines = [*before, *self.top, "int main(void) {", *self.body, *asked, "}"]
        return "\n".join(lines).replace("@", "") + "\n", len(lines) - 2


def prototypes_for(lines: Sequence[str]) -> list[str]:
    """The headers that a program needs for its macros, and declarations of other functions of the library: to read
    them from headers would take longer than all the rest."""
    text = "\n".join(lines)
    used = set(re.findall(r"\b(\w+)\(", text))
    needs = {"fenv": {"fesetround"}, "math": set(CLASSIFICATIONS), "stdio": {"sscanf"}}
    headers = [f"#include <{header}.h>" for header, names in needs.items() if names & used]
    headers += ["#include <errno.h>"] if re.search(r"\berrno\b", text) else []
    return [
        *headers,
        *(prototype for name, prototype in PROTOTYPES.items() if name in used),
        "void __assert_fail(const char *, const char *, unsigned, const char *);",
    ]


class Assembly:
    """A program under construction: types, globals and functions are there, and the first lines of what it does."""

    def __init__(self, chance: random.Random, features: set[str]) -> None:
        self.chance = chance
        self.places = Places(chance, frozenset(features))
        self.statements = Statements(self.places)
        self.places.make_records(chance.randint(1, 2))
        self.globals = [_global(self.places) for _ in range(chance.randint(1, 2))]
        # Something for pointers to point to.
        self.targets = [Object(f"{self.places.fresh('g')}@", record) for record in self.places.records]
        self.places.objects += self.targets
        owners = list(self.places.objects)
        self.body = [line for o in owners if (line := self.statements.pointers_in(o).strip())]
        for owner in owners:
            self.statements.declare_aliases(owner)
        self.functions: Lines = []
        if "call" in features:
            for _ in range(chance.choice([1, 1, 2])):
                self.functions += Functions(self.statements).define()
        for _ in range(chance.choice([0, 1, 1, 2])):
            self.body += self.statements.local(lasting=True)

    def all_top(self) -> tuple[str, ...]:
        """What is at file scope, without what is never used."""
        types = [record.definition() for record in self.places.records]
        used = "\n".join([*self.functions, *self.body])
        targets = [o for o in self.targets if o.text in used] + list(self.places.scalar_targets.values())
        return (*types, *(f"static {o.type.declare(o.text)};" for o in targets), *self.globals, *self.functions)


def memory_program(seed: int, size: int = 3) -> MemoryProgram:
    """A program with about so many statements."""
    chance = random.Random(seed)
    features = set(chance.sample(FEATURES, chance.randint(2, 3)))
    if "float" in features:
        features.add(chance.choice(["rounding", "rounding", "classify", "classify", "literals"]))
    if chance.random() < 0.25:
        features.add(chance.choice(RARE))
    made = Assembly(chance, features)
    made.body += made.statements.some(size)
    seen = [o for o in dict.fromkeys(made.places.touched) if o in made.places.objects]
    made.body += [f"MIX({made.places.place(o)[0]});" for o in chance.sample(seen, min(len(seen), 3))]
    made.body += [f"MIX({made.places.read()});"]
    if "rounding" in features:
        made.body.append("fesetround(FE_TONEAREST);")
    return MemoryProgram(made.all_top(), tuple(made.body), seed % 4 == 0)


def _global(places: Places) -> str:
    """Declare a global and give its definition."""
    chance = places.chance
    name = f"{places.fresh('g')}@"
    if places.has("names") and not any(o.text in NAMES for o in places.objects):
        # Where headers are included, a number follows; but for `math.h`, which programs with floats may include.
        name = chance.choice(NAMES[:1] if places.has("float") else NAMES)
    static = "" if name in NAMES else "static "  # clang minds only what other files see
    if chance.random() < 0.4:
        scalar = places.integer_type()
        places.declare(Object(name, scalar))
        return f"{static}{scalar.declare(name)} = {chance.randint(-9, 99)};"
    if chance.random() < 0.5:
        array = Array(places.integer_type(), chance.choice([2, 4]))
        places.declare(Object(name, array, True, True, "direct"))
        return (
            f"{static}{array.declare(name)} = {{{', '.join(str(chance.randint(0, 9)) for _ in range(array.count))}}};"
        )
    record = chance.choice(places.records)
    styles = ["any", "direct"] if has_pointers(record) else ["any", "direct", "cast"]
    places.declare(Object(name, record, style=chance.choice(styles)))
    return f"{static}{record.declare(name)} = {initialiser(record, chance)};"
