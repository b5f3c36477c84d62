"""Whole results that a store keeps for texts that have not changed, where a program is nothing but its texts.

Looking one up takes none of what a check does: it is done before a process for the check is started. A result that
summaries prove is kept with the one question that is left of it, whether the entry can fail if its callees do what the
summaries say, and a solver is asked that again. Results that show a bug are not kept: a bug is run again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from paddock.driver.asked import asked_by
from paddock.driver.installation import sealed_records
from paddock.frozen import replace
from paddock.options import Options
from paddock.report.formats.check.json import json_object
from paddock.report.reading import UnreadableReport, result_from
from paddock.report.result import Result, Verdict
from paddock.store.database import FILE, Store

RESULT = "result"
SAME = "from the store: the result of the same texts"
ASKED = f"{SAME}, and its summaries prove it again"
MOST_CHARACTERS = 4_000_000  # of a question
SECONDS = 10.0  # to ask it again

# A directive that reads another file, but for lines that a preprocessor has left: `# 1 "/usr/include/stdio.h" 3`.
_SPLICE = re.compile(rb"\\\r?\n")
_LEFT = re.compile(rb'^[ \t]*#[ \t]*(?:line[ \t]+)?\d+(?:[ \t]+"[^"\n]*"[ \t\d]*)?\r?$', re.MULTILINE)
_READS = re.compile(rb"(?:#|%:|\?\?=).*(?:include|import|embed)|__(?:DATE|TIME|TIMESTAMP)__|__has_\w+")


def kept_result(paths: Sequence[str], options: Options) -> Result | None:
    """The result that a store has for some files as they are, if it has one."""
    folder = options.summaries.store
    if folder is None or not (Path(folder) / FILE).exists():
        return None
    key = _key(paths, options)
    if key is None:
        return None
    try:
        match sealed_records(Store(Path(folder)), options).read(RESULT, key):
            case [str(report), str(question)] if not question or _is_refuted(question):
                result = result_from(report)
            case _:
                return None
    except (OSError, UnreadableReport):
        return None
    return replace(result, notes=(*result.notes, ASKED if question else SAME))


def _is_refuted(question: str) -> bool:
    from paddock.solvers.z3.asking import is_refuted

    return is_refuted(question, SECONDS)


def keep_result(
    store: Store, sources: Sequence[tuple[str, str]], result: Result, options: Options, question: str | None = None
) -> None:
    """Keep the result for files with these names and texts, if they are all that it depends on; and the question that
    it comes down to, if it does."""
    if question is not None and len(question) > MOST_CHARACTERS:
        return
    key = _key([name for name, _ in sources], options, [text for _, text in sources])
    if key is not None and result.verdict in (Verdict.PROVED, Verdict.BOUNDED):
        sealed_records(store, options).write(RESULT, {key: [json.dumps(json_object(result)), question or ""]})


def _key(paths: Sequence[str], options: Options, texts: Sequence[str] | None = None) -> str | None:
    """The hash of files and options; None if a program of these files is more than they are, or if they do not have
    these texts."""
    task, c = options.task, options.c
    elsewhere = (task.witness, options.summaries.candidates, c.compile_commands, c.included_files)
    if any(elsewhere) or task.vacuity or options.regions.gamble or options.report.explain:
        return None
    digests = []
    for number, path in enumerate(paths):
        try:
            data = Path(path).read_bytes()
        except (OSError, ValueError):
            return None
        if not path.endswith((".bpl", ".c", ".i")) or (not path.endswith(".bpl") and _reads_files(data)):
            return None
        if texts is not None and data != texts[number].encode("utf-8", "surrogateescape"):
            return None
        digests.append(hashlib.sha256(data).hexdigest())
    return hashlib.sha256(json.dumps([list(paths), digests, asked_by(options)]).encode()).hexdigest()


def _reads_files(data: bytes) -> bool:
    """Whether the text of a C file may name other files, or what changes by itself."""
    return _READS.search(_LEFT.sub(b"", _SPLICE.sub(b"", data))) is not None
