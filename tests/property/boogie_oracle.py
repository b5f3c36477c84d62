"""Compare Paddock with Boogie on random programs with specifications, and on what is a program at all.

    python -m tests.property.boogie_oracle --count 1000 --seed 0           verdicts
    python -m tests.property.boogie_oracle --count 1000 --refusals         what is accepted and what is refused
    python -m tests.property.boogie_oracle --seed 17 --show                the program of a seed

Where Boogie proves all procedures of a program one by one, there is no bug here; so a bug here, whose trace has been
replayed, is no proof there. Where there is only one body and no loop, both agree on each assertion.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import paddock
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from tests.property.boogie_tool import judged
from tests.property.contract_programs import SAMPLES, ContractProgram, contract_program
from tests.property.mutations import mutated

BATCH = 20


# What Boogie 2.4 refuses and we do not, on purpose: bound variables may hide others; later versions have more types.
LENIENT = re.compile(r"more than one declaration of variable name|undeclared type: (string|regex|rmode|float)")
# What is said of the parts of the language that are not supported.
UNSUPPORTED = "not supported"


def disagreements(seeds: Sequence[int], counts: Counter[str]) -> Iterator[tuple[int, str]]:
    """The seeds on which verdicts contradict each other, with the reason; all programs are one text for Boogie."""
    programs = [contract_program(seed) for seed in seeds]
    text, starts = "", []
    for program in programs:
        starts.append(text.count("\n"))
        text += program.text + "\n"
    judgement = judged(text)
    if judgement.refused or not judgement.sure:
        raise AssertionError(f"Boogie gives no answer: {judgement.refused or judgement.output[-300:]}")
    for seed, program, start, end in zip(seeds, programs, starts, [*starts[1:], text.count("\n")], strict=True):
        failing = {line - start for line in judgement.failing if start < line <= end}
        reason = _contradiction(program, failing, counts)
        if reason:
            yield seed, reason


def _contradiction(program: ContractProgram, failing: set[int], counts: Counter[str]) -> str:
    """What is wrong if Boogie cannot prove what is in these lines of a program."""
    result = paddock.check(paddock.load(program.text), _options(program))
    verdict = result.verdict.value
    counts[
        f"{'modular' if program.modular else 'exact'}: {'fails' if failing else 'proved'} there, {verdict} here"
    ] += 1
    if verdict == "bug" and not failing:
        return "Boogie proves it, but there is a bug here"
    if not program.modular and failing and verdict == "proved":
        return "it is proved here, but Boogie finds a failure"
    if program.modular or verdict == "unknown":
        return ""
    # Preconditions fail at calls and postconditions at the end of a body: the lines of assertions are the same.
    lines = program.text.split("\n")
    asserted = {n for n, line in enumerate(lines, 1) if line.lstrip().startswith("assert")}
    here = {a.line for a in result.assertions if a.verdict is paddock.Verdict.BUG} & asserted
    both = failing & asserted
    return "" if here == both else f"failing here: lines {sorted(here)}; there: {sorted(both)}"


def _options(program: ContractProgram) -> paddock.Options:
    return paddock.Options.of(entry=program.entry, all_assertions=True, recursion_bound=3, timeout=60)


@cache
def _texts() -> list[str]:
    return [contract_program(seed).text for seed in range(40)] + SAMPLES


def refusal_disagreement(seed: int, counts: Counter[str]) -> str:
    """Why a mutated program is accepted by one and refused by the other; empty if it is not."""
    text = refusal_text(seed)
    there = judged(text, verify=False).refused
    try:
        load([Source(text)])
        here = ""
    except InputError as error:
        here = error.diagnostics[0].message
    counts[f"{'refused' if there else 'accepted'} there, {'refused' if here else 'accepted'} here"] += 1
    if bool(here) == bool(there) or LENIENT.search(there) or UNSUPPORTED in here:
        return ""
    return f"refused here: {here}" if here else f"refused there: {there}"


def refusal_text(seed: int) -> str:
    return mutated(_texts(), "boogie", random.Random(seed))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--refusals", action="store_true")
    parser.add_argument("--show", action="store_true")
    chosen = parser.parse_args(arguments)
    if chosen.show:
        print(refusal_text(chosen.seed) if chosen.refusals else contract_program(chosen.seed).text)
        return 0
    counts: Counter[str] = Counter()
    wrong = 0
    for start in range(chosen.seed, chosen.seed + chosen.count, BATCH):
        seeds = range(start, min(start + BATCH, chosen.seed + chosen.count))
        if chosen.refusals:
            found = ((seed, reason) for seed in seeds if (reason := refusal_disagreement(seed, counts)))
        else:
            found = disagreements(seeds, counts)
        for seed, reason in found:
            wrong += 1
            print(f"seed {seed}: {reason}", flush=True)
    for what, count in sorted(counts.items()):
        print(f"{count:6}  {what}")
    print(f"{wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
