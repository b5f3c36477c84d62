"""Answers that a store keeps for programs that have not changed: verdicts of searches that leave no summaries.

An answer is found by a hash of the program as it was read and of all options that change meaning, and is believed only
if this installation has sealed it. Places are kept by their number in the program: a comment may move them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from paddock.driver.same_texts import keep_result
from paddock.engines.assertions import Assertion, Findings
from paddock.engines.outcome import Outcome
from paddock.frontends.source import Source
from paddock.frozen import frozen, replace
from paddock.ir.origin import AssertionId, Origin
from paddock.ir.printer import program_text
from paddock.ir.program import Implementation, Program
from paddock.ir.rewriting import without_capture
from paddock.ir.stmt import Goto, Transfer
from paddock.options import Options
from paddock.report.result import Result
from paddock.store.database import Store
from paddock.store.sealing import SealedRecords
from paddock.verdict import Verdict

ANSWER = "answer"

_DECIDED = {verdict.value: verdict for verdict in (Verdict.PROVED, Verdict.BOUNDED)}


@frozen
class Answer:
    """A verdict, by which engine, and the assertions that were seen to hold at every bound."""

    engine: str
    outcome: Outcome
    proved: tuple[AssertionId, ...]


class Answers:
    """The answers about one program. `asked` says what is asked of it, and with which options."""

    def __init__(self, sealed: SealedRecords, program: Program, asked: str, assertions: Sequence[Assertion]) -> None:
        self._sealed = sealed
        self._places = _places(program)
        self._assertions = {a.id: a.source for a in assertions}
        texts = [asked, program_text(_with_plain_labels(without_capture(program))), *self._assertions]
        self._key = hashlib.sha256("\0".join(texts).encode()).hexdigest()

    def found(self) -> Answer | None:
        """The answer that is kept, if there is one."""
        record = self._sealed.read(ANSWER, self._key)
        if record is None:
            return None
        verdict, reason, cut = _DECIDED[record["verdict"]], record["reason"], tuple(record["cut"])
        cut_loops = tuple(self._places[n] for n in record["cut_loops"])
        proved = tuple(self._assertions[id_] for id_ in record["proved"])
        return Answer(record["engine"], Outcome(verdict, record["bound"], reason, None, cut, cut_loops), proved)

    def keep(self, engine: str, outcome: Outcome, findings: Findings) -> None:
        """Keep an answer, if it is one that lasts: no bug, nothing open."""
        open_ = findings.bugs or findings.undecided or findings.through
        numbers = {str(place): n for n, place in enumerate(self._places)}
        places = [str(place) for place in outcome.cut_loops]
        if open_ or outcome.verdict.value not in _DECIDED or not all(place in numbers for place in places):
            return
        ids = {source: id_ for id_, source in self._assertions.items()}
        record = {
            "engine": engine,
            "verdict": outcome.verdict.value,
            "bound": outcome.bound,
            "reason": outcome.reason,
            "cut": list(outcome.cut),
            "cut_loops": [numbers[place] for place in places],
            "proved": [ids[source] for source in findings.proved if source in ids],
        }
        self._sealed.write(ANSWER, {self._key: record})


class Unchanged:
    """What a store has for a program that has not changed, and is to keep for it. `asked` says what is asked."""

    def __init__(self, store: Store, sealed: SealedRecords, asked: str, options: Options, findings: Findings) -> None:
        self._store = store
        self._sealed = sealed
        self._asked = asked
        self._options = options
        self._findings = findings
        # A program is not all that such a check depends on.
        self._keeps_answers = options.summaries.candidates is None and not options.regions.gamble

    def answer(self, original: Program, assertions: Sequence[Assertion]) -> Answer | None:
        """The verdict that was found for the very same program, if it did not come from summaries."""
        if not self._keeps_answers:
            return None
        found = Answers(self._sealed, original, self._asked, assertions).found()
        if found is not None:
            self._findings.notes.append("from the store: the verdict on this program, which has not changed")
        return found

    def keep_answer(self, original: Program, assertions: Sequence[Assertion], engine: str, outcome: Outcome) -> None:
        """Keep the verdict on a program."""
        if self._keeps_answers:
            Answers(self._sealed, original, self._asked, assertions).keep(engine, outcome, self._findings)

    def keep_result(self, sources: Sequence[Source], result: Result, question: str | None) -> None:
        """Keep the whole result for some texts, with the question that it comes down to, if it does."""
        texts = [(source.file, source.text) for source in sources]
        keep_result(self._store, texts, result, self._options, question)


def _places(program: Program) -> list[Origin]:
    """The places that statements have, in their order."""
    found: dict[str, Origin] = {}
    for procedure in program.procedures:
        for block in (b for i in procedure.implementations for b in i.blocks):
            for piece in (block, *block.statements, block.transfer):
                found.setdefault(str(piece.origin), piece.origin)
    return list(found.values())


def _with_plain_labels(program: Program) -> Program:
    """The program with blocks numbered: labels may have the numbers of lines in them."""

    def numbered(body: Implementation) -> Implementation:
        numbers = {block.label: f"b{n}" for n, block in enumerate(body.blocks)}
        blocks = [
            replace(block, label=numbers[block.label], transfer=_going_to(block.transfer, numbers))
            for block in body.blocks
        ]
        return replace(body, blocks=tuple(blocks))

    bodies = (replace(p, implementations=tuple(map(numbered, p.implementations))) for p in program.procedures)
    return replace(program, procedures=tuple(bodies))


def _going_to(transfer: Transfer, numbers: Mapping[str, str]) -> Transfer:
    if not isinstance(transfer, Goto):
        return transfer
    return replace(transfer, targets=tuple(numbers[target] for target in transfer.targets))
