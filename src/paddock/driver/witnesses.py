"""Validation of a witness: the program that does what it says is checked, and what comes out is judged.

A violation is confirmed by a bug, which is replayed as all bugs are; that no run which the witness describes is one
says nothing of the program. Invariants are assertions: if one fails, that is no bug of the program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import PurePath

from paddock.driver.loading import read_text
from paddock.frontends.source import Source
from paddock.frozen import replace
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.report.result import Result, Verdict
from paddock.report.witnesses import INVARIANT, REFUSED, TARGET, VIOLATION, UnreadableWitness, Witness
from paddock.report.witnesses.graphml_form import graphml_witness
from paddock.report.witnesses.yaml_form import yaml_witness

SHA1_DIGITS = 40


def read_witness(path: str) -> Witness:
    """The witness in a file, in the one form or the other. Raises `InputError`."""
    source = read_text(path)
    try:
        is_xml = source.text.lstrip().startswith("<")
        return graphml_witness(source.text) if is_xml else yaml_witness(source.text)
    except UnreadableWitness as error:
        raise InputError(Diagnostic(str(error), Origin(path))) from None


def require_same_files(witness: Witness, sources: Sequence[Source]) -> None:
    """Refuse a witness that is about files with these names, but others. Raises `InputError`."""
    hashes = {PurePath(name).name: value for name, value in witness.task.hashes if value}
    for source in sources:
        wanted = hashes.get(PurePath(source.file).name)
        if wanted is None:
            continue
        data = source.text.encode("utf-8", "surrogateescape")
        old = len(wanted) == SHA1_DIGITS
        found = (hashlib.sha1(data, usedforsecurity=False) if old else hashlib.sha256(data)).hexdigest()
        if wanted.lower() != found:
            message = f"the witness is about another program: its file has the hash {wanted[:12]}…, not {found[:12]}…"
            raise InputError(Diagnostic(message, Origin(source.file)))


def judged(result: Result, witness: Witness) -> Result:
    """What the result of a check of the instrumented program says of the witness."""
    if witness.kind == VIOLATION:
        return _judged_violation(result, witness)
    failing = next(
        (a for a in result.assertions if a.verdict is Verdict.BUG and a.procedure.startswith(INVARIANT)), None
    )
    if failing is not None:
        invariant = witness.invariants[int(failing.procedure.removeprefix(INVARIANT))]
        place = f"{invariant.place.file}:{invariant.place.line}"
        return _refused(result, f"{place}: the invariant {invariant.value} does not hold")
    if result.verdict in (Verdict.PROVED, Verdict.BOUNDED):
        count = len(witness.invariants)
        sentence = f"the witness holds, with {count} invariant{'' if count == 1 else 's'}"
        return replace(result, reason=f"{sentence}; {result.reason}" if result.reason else sentence)
    return result


def _judged_violation(result: Result, witness: Witness) -> Result:
    if result.verdict in (Verdict.PROVED, Verdict.BOUNDED):
        within = f" within recursion bound {result.bound}" if result.bound is not None else ""
        return _refused(result, f"no run that it describes violates anything{within}")
    if result.verdict is not Verdict.BUG or not result.trace:
        return result
    target = next(p.place for s in witness.segments for p in s if p.kind == TARGET)
    last = result.trace[-1]
    if (PurePath(last.file).name, last.line) != (PurePath(target.file).name, target.line):
        return _refused(result, f"what fails is at {last.file}:{last.line}, not at its target in line {target.line}")
    return replace(result, reason="as the witness says")


def _refused(result: Result, why: str) -> Result:
    assertions = tuple(replace(a, verdict=Verdict.UNKNOWN, counterexample=None) for a in result.assertions)
    return replace(result, verdict=Verdict.UNKNOWN, reason=f"{REFUSED}: {why}", assertions=assertions)
