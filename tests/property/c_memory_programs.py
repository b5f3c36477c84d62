"""Random C programs whose subject is memory, in the spirit of Csmith: deterministic, free of undefined behaviour by
construction, and with a checksum to be compared with what gcc's program computes.

A program is made from its seed and its size alone. Each one uses a few features only (swarm testing), so that it is
small, a fault is seen where features meet, and the solver has an easy time.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from tests.property.c_layouts import Array, has_pointers, initialiser
from tests.property.c_memory_functions import Functions
from tests.property.c_memory_places import Object, Places
from tests.property.c_memory_statements import Lines, Statements

FEATURES = "union pointer bits copy pun memory chain switch goto loop call float string".split()
MIX = "#define MIX(v) (sum = (sum << 7 | sum >> 57) ^ (unsigned long)(v))"
PROTOTYPES = {
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
}


@dataclass(frozen=True)
class MemoryProgram:
    """The lines of a program: what is at file scope, and what is done. Names at file scope end in `@`."""

    top: tuple[str, ...]
    body: tuple[str, ...]

    def numbered(self, number: int) -> str:
        """The program as a function among others, which has to include the headers and define `sum` and `MIX`."""
        lines = [*self.top, "static void run@(void) {", *self.body, "}"]
        return "\n".join(lines).replace("@", f"_{number}") + "\n"

    def asking(self, checksum: int) -> tuple[str, int]:
        """The program as one that asserts what the checksum is, and then that it is something else; and the line of
        the first of these assertions, which the second one follows."""
        text = "\n".join([*self.top, *self.body])
        used = set(re.findall(r"\b(\w+)\(", text))
        before = [f"#include <{header}.h>" for header in headers_of(text)]
        before += [prototype for name, prototype in PROTOTYPES.items() if name in used]
        before += ["void __assert_fail(const char *, const char *, unsigned, const char *);"]
        before += ["static unsigned long sum;", MIX]
        asked = [f'if (!(sum {op} {checksum}UL)) __assert_fail("{op}", "", 0, "");' for op in ("==", "!=")]
        lines = [*before, *self.top, "int main(void) {", *self.body, *asked, "}"]
        return "\n".join(lines).replace("@", "") + "\n", len(lines) - 2


def headers_of(text: str) -> list[str]:
    """The headers that a program needs for its macros."""
    needs = {"fenv": "fesetround", "math": "isnormal|isinf|isnan|fpclassify|signbit|isfinite"}
    return [header for header, names in needs.items() if re.search(rf"\b({names})\(", text)]


def memory_program(seed: int, size: int = 3) -> MemoryProgram:
    """A program with about so many statements."""
    chance = random.Random(seed)
    features = set(chance.sample(FEATURES, chance.randint(2, 3)))
    if "float" in features:
        features |= set(chance.sample(["rounding", "classify"], chance.randint(0, 1)))
    places = Places(chance, frozenset(features))
    statements = Statements(places)
    places.make_records(chance.randint(1, 2))
    globals_ = [_global(places) for _ in range(chance.randint(1, 2))]
    pointed = [(record, Object(f"{places.fresh('g')}@", record)) for record in places.records]
    for _, object_ in pointed:
        places.declare(object_)
    start = [statements._pointers_in(o).strip() for o in places.objects if not o.text.startswith("(*")]
    functions: Lines = []
    for object_ in list(places.objects):
        statements._declare_aliases(object_)
    if "call" in features:
        for _ in range(chance.choice([1, 1, 2])):
            functions += Functions(statements).define()
    body = [line for line in start if line]
    for _ in range(chance.choice([0, 1, 1, 2])):
        body += statements.local(lasting=True)
    body += statements.some(size)
    seen = [o for o in dict.fromkeys(places.touched) if o in places.objects]
    body += [f"MIX({places.place(o)[0]});" for o in chance.sample(seen, min(len(seen), 3))]
    body += [f"MIX({places.read()});"]
    if "rounding" in features:
        body.append("fesetround(FE_TONEAREST);")
    types = [record.definition() for record in places.records]
    objects = [f"static {record.declare(o.text)};" for record, o in pointed if _is_used(o.text, functions, body, types)]
    objects += globals_
    objects += [f"static {o.type.declare(o.text)};" for o in places.scalar_targets.values()]
    return MemoryProgram((*types, *objects, *functions), tuple(body))


def _is_used(name: str, *texts: list[str]) -> bool:
    return any(name in line for text in texts for line in text)


def _global(places: Places) -> str:
    """Declare a global and give its definition."""
    chance = places.chance
    name = f"{places.fresh('g')}@"
    if chance.random() < 0.4:
        scalar = places.integer_type()
        places.declare(Object(name, scalar))
        return f"static {scalar.declare(name)} = {chance.randint(-9, 99)};"
    if chance.random() < 0.5:
        array = Array(places.integer_type(), chance.choice([2, 4]))
        places.declare(Object(name, array, True, True, "direct"))
        return f"static {array.declare(name)} = {{{', '.join(str(chance.randint(0, 9)) for _ in range(array.count))}}};"
    record = chance.choice(places.records)
    places.declare(
        Object(
            name,
            record,
            style=chance.choice(["any", "direct"])
            if has_pointers(record)
            else chance.choice(["any", "direct", "cast"]),
        )
    )
    return f"static {record.declare(name)} = {initialiser(record, chance)};"
