"""Make a C program smaller while something about it stays: a delta debugger over lines and blocks.

    python -m tests.property.c_reduce 17 --size 3

shows the program of a seed, as small as it gets with the same kind of disagreement between Paddock and gcc.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from tests.property.c_compare import AGREES, DISAGREES, INVALID, AnyProgram, Comparison, compared, text_of, truths
from tests.property.c_input_programs import InputProgram, input_program
from tests.property.c_memory_programs import MemoryProgram, memory_program
from tests.property.c_native import Invalid
from tests.property.c_undefined_programs import UndefinedProgram, undefined_program

Lines = tuple[str, ...]
P = TypeVar("P", MemoryProgram, InputProgram, UndefinedProgram)
MAKERS: dict[str, Callable[..., AnyProgram]] = {
    "memory": memory_program,
    "inputs": input_program,
    "undefined": undefined_program,
}


def without_parts(lines: Lines) -> Iterator[Lines]:
    """The lines without one of them, without one of their blocks, or with the content of a block in its place."""
    for start in reversed(range(len(lines))):
        if lines[start].startswith("}"):
            continue
        end = block_end(lines, start)
        before, after = lines[:start], lines[end + 1 :]
        yield before + after
        for content in contents(lines[start : end + 1]):
            yield before + content + after
        if lines[start].count(";") > 1 and end == start:
            yield from ((*before, shorter, *after) for shorter in _without_statement(lines[start]))


def block_end(lines: Lines, start: int) -> int:
    """The last line of what starts in a line: of a block, if the line opens one."""
    depth = 0
    for n in range(start, len(lines)):
        depth += lines[n].count("{") - lines[n].count("}")
        if depth <= 0:
            return n
    return len(lines) - 1


def contents(block: Lines) -> Iterator[Lines]:
    """What is in a block, or in each of the two branches."""
    depth, start = 0, 1
    for n, line in enumerate(block):
        if line.startswith("}") and depth == 1:
            yield block[start:n]
            start = n + 1
        depth += line.count("{") - line.count("}")


def _without_statement(line: str) -> Iterator[str]:
    """A line `{ a; b; }` without one of its statements, but for the first, which declares something."""
    pieces = line.split(";")
    for n in range(1, len(pieces) - 1):
        yield ";".join(pieces[:n] + pieces[n + 1 :])


def reduced(program: P, holds: Callable[[P], bool], most_tries: int = 2000) -> P:
    """A program from which nothing more can be taken away."""
    tries = 0
    changed = True
    while changed:
        changed = False
        for which in ("body", "top"):
            candidates = without_parts(getattr(program, which))
            while (candidate := next(candidates, None)) is not None and tries < most_tries:
                tries += 1
                smaller = with_lines(program, which, candidate)
                if holds(smaller):
                    program, changed = smaller, True
                    candidates = without_parts(candidate)
    return program


def with_lines(program: P, which: str, lines: Lines) -> P:
    """The program with other lines at file scope, or in what it does."""
    if isinstance(program, UndefinedProgram):
        return replace(program, before=with_lines(program.before, which, lines))
    return replace(program, **{which: lines})


def comparison_of(program: AnyProgram) -> Comparison:
    """How Paddock and gcc see a program. What the sanitizers find is looked for where they differ, and only there."""
    found = compared(program, truths([program], sanitize=False)[0])
    if found.kind not in (AGREES, INVALID) and isinstance(invalid := truths([program])[0], Invalid):
        return Comparison(INVALID, str(invalid))
    return found


def reduced_disagreement(program: P) -> P:
    """The smallest program with the same kind of disagreement; of a crash, with the same message."""
    kind, mark = _mark(comparison_of(program))
    return reduced(program, lambda smaller: _mark(comparison_of(smaller)) == (kind, mark))


def _mark(found: Comparison) -> tuple[str, str]:
    """What must stay the same: the kind, the last line of a traceback, or which verdicts there were."""
    last = found.detail.strip().splitlines()[-1] if found.detail.strip() else ""
    return found.kind, last.split(": ", 1)[-1] if found.kind not in (DISAGREES, INVALID) else ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--kind", choices=MAKERS, default="memory")
    parser.add_argument("--size", type=int, default=3)
    given = parser.parse_args(arguments)
    program = MAKERS[given.kind](given.seed, given.size)
    if comparison_of(program).kind != AGREES:
        program = reduced_disagreement(program)
    print(explained(program), end="")
    return 0


def explained(program: AnyProgram) -> str:
    """The text of a program as Paddock gets it, with what is said of it."""
    text = text_of(program, truths([program], sanitize=False)[0])
    found = comparison_of(program)
    return f"{text}/* {found.kind}: {found.detail.strip()} */\n"


if __name__ == "__main__":
    sys.exit(main())
