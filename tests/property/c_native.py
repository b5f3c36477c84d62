"""What random C programs do when gcc compiles them: many at a time, since starting gcc takes longer than they do."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.property.c_memory_programs import MIX, MemoryProgram

GCC = shutil.which("gcc")
HEADERS = "".join(f"#include <{name}.h>\n" for name in "errno fenv math setjmp stdio stdlib string".split())
FLAGS = ["-w", "-O0", "-fno-strict-aliasing", "-frounding-math", "-ffp-contract=off"]
# Objects without a value get another one in each of the two builds: what depends on it shows.
PLAIN = ["-ftrivial-auto-var-init=pattern"]
SANITIZED = [
    "-ftrivial-auto-var-init=zero",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-O1",
]


class Invalid(Exception):
    """A program is not as it should be: it does not compile, or what it does is not defined."""


def built_and_run(text: str, flags: Sequence[str], folder: Path) -> str:
    """What a program prints."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    assert GCC is not None
    build = subprocess.run(
        [GCC, *FLAGS, *flags, "-o", program, source, "-lm"], capture_output=True, text=True, check=False
    )
    if build.returncode:
        raise Invalid(build.stderr[:2000])
    run = subprocess.run([program], capture_output=True, text=True, check=False, timeout=600)
    if run.returncode:
        found = re.search(r".*(runtime error|ERROR: AddressSanitizer).*", run.stderr)
        raise Invalid(found[0] if found else f"exit status {run.returncode}")
    return run.stdout


def together(programs: Sequence[MemoryProgram]) -> str:
    """One program that prints the checksums of all."""
    texts = [HEADERS, "static unsigned long sum;\n", MIX, "\n"]
    texts += [program.numbered(n) for n, program in enumerate(programs)]
    calls = [f'sum = 0; run_{n}(); printf("%lu\\n", sum); fflush(stdout);' for n in range(len(programs))]
    return "".join([*texts, "int main(void) {\n", "\n".join(calls), "\n}\n"])


def checksums(programs: Sequence[MemoryProgram], sanitize: bool = True) -> list[int | Invalid]:
    """What each of the programs computes, or why that means nothing."""
    text = together(programs)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            printed = [built_and_run(text, flags, folder) for flags in ([PLAIN, SANITIZED] if sanitize else [PLAIN])]
            values = [list(map(int, output.split())) for output in printed]
            if any(v != values[0] or len(v) != len(programs) for v in values):
                raise Invalid("the value of something that has none matters")
        except (Invalid, subprocess.TimeoutExpired) as error:
            if len(programs) == 1:
                return [error if isinstance(error, Invalid) else Invalid(str(error))]
            half = len(programs) // 2
            return checksums(programs[:half], sanitize) + checksums(programs[half:], sanitize)
    return list(values[0])
