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

from tests.property.c_memory_programs import MIX, Assembly, prototypes_for
from tests.property.c_native import HEADERS, PLAIN, SANITIZED, Invalid, built_and_run

FEATURES = "union pointer bits copy pun memory chain switch goto loop call".split()
CHECK = re.compile(r"CHECK\((\d+), ")
STRIDE = 97  # of the inputs that the sanitizers see
RUNNER = """
static unsigned char input[3];
static jmp_buf failed;
#define INPUT(n) input[n]
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
    """The lines of a program, with `INPUT(n)` for its inputs, which range up to limits, and `CHECK(n, condition)`."""

    top: tuple[str, ...]
    body: tuple[str, ...]
    limits: tuple[int, int, int]
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

    def asking(self) -> tuple[str, dict[int, int]]:
        """The program for Paddock, and the number of the check in each line that has one."""
        before = [*prototypes_for(self.top + self.body), "unsigned char __VERIFIER_nondet_uchar(void);"]
        before += ["void __VERIFIER_assume(int);", "static unsigned long sum;", MIX]
        body = [self._asked(line) for line in self.body]
        lines = [*before, *self.top, "int main(void) {", *body, "}"]
        checks = {n: int(found[1]) for n, line in enumerate(lines, 1) if (found := re.search(r'fail\("(\d+)"', line))}
        return "\n".join(lines).replace("@", "") + "\n", checks

    def _asked(self, line: str) -> str:
        if found := re.fullmatch(r"CHECK\((\d+), (.*)\);", line):
            return f'if (!({found[2]})) __assert_fail("{found[1]}", "", 0, "");'
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
    made.places.inputs = [f"in{n}" for n, limit in enumerate(limits) if limit > 1]
    made.body[:0] = [f"unsigned char {name} = INPUT({n});" for n, name in enumerate(made.places.inputs)]
    for number in range(chance.randint(2, 4)):
        made.body += made.statements.some(chance.randint(0, size))
        made.body.append(f"CHECK({number}, {_condition(made)});")
    return InputProgram(made.all_top(), tuple(made.body), limits)


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
