"""Random C programs with two or three inputs of 8 bits and several assertions, each run natively on all inputs.

An execution ends with the first assertion that fails, so a verdict on an assertion is about executions on which those
before it hold. Those that fail for some input, and no others, are bugs.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.property.c_layouts import raw_bytes
from tests.property.c_memory_programs import MIX, Assembly, prototypes_for
from tests.property.c_native import HEADERS, PLAIN, SANITIZED, Invalid, built_and_run

FEATURES = "union pointer bits copy pun memory chain switch goto loop call".split()
CHECK = re.compile(r"CHECK\((\d+), (.*?)\);")
# How a check is written for Paddock. Conditions have commas only in parentheses.
SPELLINGS = {
    "fail": 'if (!({0})) __assert_fail("{1}", "", 0, "");',
    "wrapper": "verify({0});",
    "assert": '__CPROVER_assert({0}, "{1}");',
    "precondition": '__CPROVER_precondition({0}, "{1}");',
}
WRAPPER = 'static void verify(int condition) { if (!condition) __assert_fail("", "", 0, ""); }'
STRIDE = 97  # of the inputs that the sanitizers see
RUNNER = """
static unsigned char input[3];
static jmp_buf failed;
#define INPUT(n) input[n]
#define HAVOC(n, p) (*(unsigned char *)(p) = INPUT(n))
#define CHECK(n, c) do { if (!(c)) longjmp(failed, n + 1); } while (0)
static void try_all(void (*run)(void), char *start, char *end, unsigned first, unsigned second, unsigned third) {
  unsigned long reached = 0, size = end - start;
  char *kept = malloc(size + 1);
  memcpy(kept, start, size);
  for (unsigned n = 0; n < first * second * third; n += STEP) {
    input[0] = n % first, input[1] = n / first % second, input[2] = n / first / second;
    memcpy(start, kept, size);
    sum = 0;
    int ended = setjmp(failed);
    if (ended == 0) run();
    else reached |= 1ul << (ended - 1);
  }
  free(kept);
  printf("%lu\\n", reached), fflush(stdout);
}
"""


@dataclass(frozen=True)
class InputProgram:
    """The lines of a program, with `INPUT(n)` for its inputs, which range up to limits, `HAVOC(n, pointer)` for a byte
    that becomes an input, and `CHECK(n, condition);`. Two checks on a line come from one macro."""

    top: tuple[str, ...]
    body: tuple[str, ...]
    limits: tuple[int, int, int]
    spelling: str = "fail"
    checks_all: bool = False

    @property
    def checks(self) -> list[int]:
        return [int(found[1]) for line in self.body for found in CHECK.finditer(line)]

    def numbered(self, number: int) -> str:
        """The program as a function among others, with its globals where they are found to be reset."""
        state = f'__attribute__((used, section("state_{number}"))) static '
        lines = [f"extern char __start_state_{number}[], __stop_state_{number}[];", f"{state}int always@ = 1;"]
        lines += [re.sub(r"^static (?!.*\()", state, line) for line in self.top]
        lines += ["static void run@(void) {", *self.body, "}"]
        return "\n".join(lines).replace("@", f"_{number}") + "\n"

    def asking(self) -> tuple[str, dict[int, list[int]]]:
        """The program for Paddock, and the numbers of the checks in each line that has some."""
        before = [*prototypes_for(self.top + self.body), "unsigned char __VERIFIER_nondet_uchar(void);"]
        before += ["void __VERIFIER_assume(int);", "static unsigned long sum;", MIX]
        if self.spelling == "wrapper":
            before.append(WRAPPER)
        if any(len(CHECK.findall(line)) > 1 for line in self.body):
            before.append(f"#define BOTH(a, b) {self._spelled('a', '')} {self._spelled('b', '')}")
        first = len(before) + len(self.top) + 2
        found = {n: [int(c[1]) for c in CHECK.finditer(line)] for n, line in enumerate(self.body, first)}
        lines = [*before, *self.top, "int main(void) {", *map(self._asked, self.body), "}"]
        return "\n".join(lines).replace("@", "") + "\n", {n: checks for n, checks in found.items() if checks}

    def _spelled(self, condition: str, number: str) -> str:
        return SPELLINGS[self.spelling].format(condition, number)

    def _asked(self, line: str) -> str:
        match CHECK.findall(line):
            case [(number, condition)]:
                return self._spelled(condition, number)
            case [(_, first), (_, second)]:
                return f"BOTH({first}, {second})"
        line = re.sub(r"HAVOC\(\d, (.*)\);", r"__CPROVER_havoc_slice(\1, 1);", line)
        return re.sub(
            r"unsigned char (in\d) = INPUT\((\d)\);",
            lambda m: f"unsigned char {m[1]} = __VERIFIER_nondet_uchar(); {self._range(m[1], int(m[2]))}",
            line,
        )

    def _range(self, name: str, number: int) -> str:
        return f"__VERIFIER_assume({name} < {self.limits[number]});" if self.limits[number] < 256 else ""


def input_program(seed: int, size: int = 2) -> InputProgram:
    """A program with about so many statements before and between its checks."""
    chance = random.Random(seed)
    made = Assembly(chance, set(chance.sample(FEATURES, 2)))
    limits = chance.choice([(256, 256, 1), *[(64, 64, 1)] * 6, *[(16, 16, 16)] * 3])
    havocked = _havocked(made) if chance.random() < 0.15 else None
    if havocked:
        limits = (16, 1, 256)
    made.places.inputs = [f"in{n}" for n, limit in enumerate(limits) if limit > 1 and not (havocked and n == 2)]
    made.body[:0] = [f"unsigned char {name} = INPUT({n});" for n, name in enumerate(made.places.inputs)]
    made.body += [f"HAVOC(2, {havocked[0]});"] if havocked else []
    number = 0
    for _ in range(chance.randint(2, 4)):
        made.body += made.statements.some(chance.randint(0, size))
        conditions = [_condition(made) for _ in range(chance.choice([1, 1, 1, 2]))]
        if havocked and chance.random() < 0.5:
            conditions[0] = f"{havocked[1]} != {chance.randint(0, 255)}"
        if len(conditions) > 1:  # neither is constant, so there are two assertions
            conditions = [f"({text}) && in0 != 255" for text in conditions]
        made.body.append(" ".join(f"CHECK({number + n}, {text});" for n, text in enumerate(conditions)))
        number += len(conditions)
    return InputProgram(made.all_top(), tuple(made.body), limits, chance.choice(["fail", *SPELLINGS]))


def _havocked(made: Assembly) -> tuple[str, str] | None:
    """The address of a byte, and how it is read."""
    for object_ in made.chance.sample(made.places.objects, len(made.places.objects)):
        if object_.addressed and (raw := sorted(raw_bytes(object_.type, for_writing=True))):
            address = f"(char *)&{object_.text} + {made.chance.choice(raw)}"
            return address, f"*(unsigned char *)({address})"
    return None


def _condition(made: Assembly) -> str:
    """Something that holds for many inputs, but not always for all."""
    value, chance = made.places.value(1), made.chance
    return chance.choice(
        [
            f"(unsigned char)({value}) != {chance.randint(0, 99)}",
            f"({value} & {chance.choice([3, 7, 12])}) != {chance.randint(0, 5)}",
            f"{value} < {chance.choice([200, 255, 256])}",
            f"{value} != {made.places.value(1)}",
            f"{value} || {made.places.value(1)}",
        ]
    )


def failing(programs: Sequence[InputProgram]) -> list[set[int] | Invalid]:
    """For each of the programs, which checks fail for some input, those before it holding."""
    texts = [HEADERS, "static unsigned long sum;\n", MIX, RUNNER, *(p.numbered(n) for n, p in enumerate(programs))]
    calls = [
        f"try_all(run_{n}, __start_state_{n}, __stop_state_{n}, {', '.join(map(str, p.limits))});"
        for n, p in enumerate(programs)
    ]
    text = "".join([*texts, "int main(void) {\n", "\n".join(calls), "\n}\n"])
    with tempfile.TemporaryDirectory() as name:
        try:
            printed = built_and_run(text, [*PLAIN, "-DSTEP=1"], Path(name))
            built_and_run(text, [*SANITIZED, f"-DSTEP={STRIDE}"], Path(name))
        except Invalid as error:
            if len(programs) == 1:
                return [error]
            half = len(programs) // 2
            return failing(programs[:half]) + failing(programs[half:])
    return [{n for n in range(64) if int(line) >> n & 1} for line in printed.split()]
