"""What a check keeps in a store, and how it finds it again: summaries of proofs, and scripts of runs that violate
assertions.

A record is found by what is asked: the names of the files, the entry, the goal, and all options that change meaning.
The program need not be the one for which it was made: nothing that is read is believed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from paddock.driver.answering import Unchanged
from paddock.driver.asked import asked_by
from paddock.driver.installation import sealed_records
from paddock.engines.assertions import Findings
from paddock.engines.goal import is_reached
from paddock.engines.interpolation.certificate import Certificate
from paddock.engines.interpolation.lasting import Lasting
from paddock.engines.interpolation.lemmas import Relied
from paddock.engines.interpolation.looked_into import LookedInto
from paddock.engines.interpolation.remembering import Recalled, named
from paddock.engines.interpolation.writing import entry_question
from paddock.engines.outcome import Outcome
from paddock.ir.expr import Expr
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.program import Program
from paddock.ir.threads import has_threads
from paddock.options import Options
from paddock.store import scripts
from paddock.store.database import Store
from paddock.store.expressions import Unreadable, from_data, to_data
from paddock.trace.domains import Domains
from paddock.trace.replay import rerun
from paddock.trace.run import Run
from paddock.verdict import Verdict
from paddock.version import __version__

PROOF, BUG, LEMMA, LOOKED_INTO = "proof", "bug", "lemma", "looked into"
MOST_RUNS = 50  # of one program
MOST_STEPS = 1_000_000  # of one run
MOST_CONDITIONS = 10_000


def opened_store(folder: str) -> Store:
    """The store in a folder. Raises `InputError`."""
    try:
        return Store(Path(folder))
    except OSError as error:
        raise InputError(Diagnostic(f"--store {folder}: {error.strerror or error}")) from None


class StoredMemory:
    """What a store has for one program and one question, and what is to be kept there."""

    def __init__(
        self, store: Store, files: Sequence[str], entry: str, goal: str, options: Options, findings: Findings
    ) -> None:
        self._store = store
        self._about = {"files": list(files), "entry": entry, "goal": goal}
        self._key = _key(self._about, options)
        # What was found at one bound is tried at others.
        self._key_at_any_bound = _key(self._about, options, at_any_bound=True)
        self._findings = findings
        self._sealed = sealed_records(store, options)
        self.unchanged = Unchanged(store, self._sealed, self._key, options, findings)
        self.question: str | None = None  # that is left when summaries prove the verdict
        self._record: Any = None
        self._is_read = False

    # --- proofs ----------------------------------------------------------------------------------

    def bound(self) -> int | None:
        match self._proof():
            case {"bound": int(bound)} if not isinstance(bound, bool):
                return bound
            case _:
                return None

    def recall(self, program: Program) -> Recalled | None:
        match None if self.is_hopeless() else self._proof():
            case {"ensures": dict(ensures), "inlined": list(inlined), "completed": completed, "cut": list(cut)}:
                read = self._conditions(ensures, program)
                return Recalled(
                    read,
                    frozenset(name for name in inlined if isinstance(name, str)),
                    completed if isinstance(completed, int) and not isinstance(completed, bool) else None,
                    tuple(name for name in cut if isinstance(name, str)),
                )
            case _:
                return None

    def _conditions(self, ensures: dict[Any, Any], program: Program) -> dict[str, tuple[Expr, ...]]:
        """The conditions that make sense of the procedures that there are."""
        found: dict[str, tuple[Expr, ...]] = {}
        count = 0
        for name, conditions in ensures.items():
            procedure = program.procedure_named.get(name)
            if procedure is None or not procedure.implementations or not isinstance(conditions, list):
                continue
            read = []
            for condition in conditions:
                count += 1
                if count > MOST_CONDITIONS:
                    return found
                try:
                    read.append(from_data(condition, program, procedure))
                except Unreadable:
                    continue
            found[name] = tuple(read)
        return found

    def is_hopeless(self) -> bool:
        return isinstance(self._proof(), dict) and self._proof().get("is_hopeless") is True

    def remember(self, found: Lasting | None, outcome: Outcome) -> None:
        if found is None and self._proof() is not None:
            return  # what there is may be good for another version
        if found is None:
            nothing: dict[str, Any] = {
                "bound": None,
                "completed": None,
                "cut": [],
                "ensures": {},
                "inlined": [],
                "is_hopeless": True,
            }
            self._store.write(PROOF, self._key, {**self._about, **nothing})
            return
        ensures: dict[str, list[Any]] = {}
        for name, conditions in found.certificate.ensures.items():
            data = [to_data(condition) for condition in conditions]
            if any(condition is None for condition in data):
                return  # a proof with a hole is none
            ensures[name] = data
        record = {
            **self._about,
            "bound": found.bound,
            "completed": outcome.bound,
            "cut": list(outcome.cut),
            "ensures": ensures,
            "inlined": sorted(found.certificate.inlined),
            "made_by": f"paddock {__version__}",
        }
        self._store.write_all(PROOF, {self._key: record, self._key_at_any_bound: record})
        self._report()

    def used(self, program: Program, certificate: Certificate, is_recalled: bool) -> None:
        self.question = entry_question(program, certificate)
        what = named(list(certificate.ensures))
        if is_recalled:
            self._findings.notes.append(f"from the store, and checked again: {what}")
        else:
            self._findings.notes.append(f"kept in the store: {what}")

    def looked_into(self) -> LookedInto | None:
        match self._sealed.read(LOOKED_INTO, self._key):
            case {"procedures": names, "hash": hash_, "verdict": verdict, "bound": bound, "cut": cut}:
                outcome = Outcome(Verdict(verdict), bound, cut=tuple(cut))
                return LookedInto(tuple(names), hash_, outcome)
            case _:
                return None

    def keep_looked_into(self, found: LookedInto) -> None:
        outcome = found.outcome
        record = {
            "procedures": list(found.procedures),
            "hash": found.hash,
            "verdict": outcome.verdict.value,
            "bound": outcome.bound,
            "cut": list(outcome.cut),
        }
        self._sealed.write(LOOKED_INTO, {self._key: record})
        self._report()

    def note(self, words: str) -> None:
        self._findings.notes.append(words)

    def _proof(self) -> Any:
        if not self._is_read:
            found = self._store.read(PROOF, self._key)
            self._record = self._store.read(PROOF, self._key_at_any_bound) if found is None else found
            self._is_read = True
            self._report()
        return self._record

    # --- lemmas of proofs ------------------------------------------------------------------------

    def relied_on(self, key: str) -> list[Relied] | None:
        match self._sealed.read(LEMMA, key):
            case list(found):
                return [(str(callee), int(number)) for callee, number in found]
            case _:
                return None

    def learn(self, proved: Mapping[str, Sequence[Relied]]) -> None:
        self._sealed.write(LEMMA, {key: [list(one) for one in relied_on] for key, relied_on in proved.items()})
        self._report()

    # --- bugs ------------------------------------------------------------------------------------

    def bugs(self, original: Program, goal: str) -> list[Run]:
        """The runs in the store that show today what they were kept for."""
        match None if has_threads(original) else self._store.read(BUG, self._key):
            case {"runs": list(runs)}:
                domains = Domains(original)
                again = [rerun(original, scripts.StoredOracle(run, domains), MOST_STEPS) for run in runs[:MOST_RUNS]]
                shown = [run for run in again if is_reached(run.outcome, goal)]
                if shown:
                    self._findings.notes.append("from the store: the run was kept, and was run again")
                return shown
            case _:
                self._report()
                return []

    def remember_bugs(self, original: Program, goal: str, runs: Iterable[Run]) -> None:
        """Keep those of some runs that can be run again from what is kept."""
        domains = Domains(original)
        kept = []
        for run in list(runs)[:MOST_RUNS]:
            data = None if run.script is None else scripts.to_data(run.script)
            if data is not None:
                again = rerun(original, scripts.StoredOracle(data, domains), MOST_STEPS)
                if is_reached(again.outcome, goal):
                    kept.append(data)
        if kept:
            self._store.write(BUG, self._key, {**self._about, "runs": kept})
        else:
            self._store.remove(BUG, self._key)
        self._report()

    def _report(self) -> None:
        """Say what the store warns of."""
        self._findings.warnings += [w for w in self._store.warnings if w not in self._findings.warnings]


def _key(about: dict[str, Any], options: Options, at_any_bound: bool = False) -> str:
    asked = asked_by(options, at_any_bound)
    return hashlib.sha256(json.dumps([about, asked], sort_keys=True).encode()).hexdigest()
