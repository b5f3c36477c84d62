"""From files to a loaded program: reads texts, finds the front end by the endings, and shows lines in messages."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from paddock.frontends import FrontEnd, front_end_of, front_ends
from paddock.frontends.source import Source
from paddock.frozen import fields, replace
from paddock.ir.origin import NOWHERE, Diagnostic, InputError, Origin
from paddock.ir.program import Program
from paddock.options import Options
from paddock.passes.identify_assertions import identify_assertions
from paddock.passes.infer_modifies import infer_modifies, notes_of_inferred
from paddock.vc.builtins import require_known_builtins

STDIN = "-"
DEFAULTS = Options()
DEFAULT = "boogie"  # the front end of texts without a name


def endings() -> tuple[str, ...]:
    """Of all files that can be read."""
    return tuple(ending for front_end in front_ends().values() for ending in front_end.endings)


def read_source(path: str) -> Source:
    """The text of a file, or of standard input for `-`; whatever hinders reading it is an `InputError`."""
    if path != STDIN and front_end_of(path) is None:
        known = endings()
        message = f"unknown kind of file: the name must end in {', '.join(known[:-1])} or {known[-1]}"
        raise InputError(Diagnostic(message, Origin(path)))
    return read_text(path)


def read_text(path: str) -> Source:
    """The text of a file whose name need not say what is in it."""
    name = "<stdin>" if path == STDIN else path
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        raise InputError(Diagnostic(f"cannot read the file: {error.strerror or error}", Origin(name))) from None
    except ValueError as error:  # a NUL character in the name
        raise InputError(Diagnostic(f"cannot read the file: {error}", Origin(name))) from None
    return Source(_decoded(data, name), name)


def text_source(text: str, name: str = "<text>") -> Source:
    """A program that is given as it stands, not in a file."""
    return Source(text, name)


def _decoded(data: bytes, name: str) -> str:
    if b"\0" in data:
        raise InputError(Diagnostic("this is a binary file, not the text of a program", Origin(name)))
    try:
        return (front_end_of(name) or front_ends()[DEFAULT]).decode(data)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line_start = before.rfind(b"\n") + 1
        column = len(before[line_start:].decode("utf-8")) + 1
        place = Origin(name, before.count(b"\n") + 1, column)
        raise InputError(Diagnostic(f"not UTF-8 text: unexpected byte 0x{data[error.start]:02x}", place)) from None


def own_options(front_end: FrontEnd, options: Options) -> Any:
    """What a front end wants to know of the options."""
    return front_end.options(**{f.name: options.value(f.name) for f in fields(front_end.options)})


def load(
    sources: Sequence[Source],
    candidates: Sequence[Source] = (),
    options: Options = DEFAULTS,
) -> Program:
    """The program that the sources make together, with what texts of candidates say as templates."""
    front_end = _front_end_for(sources)
    if candidates and not front_end.reads_candidates:
        able = " or ".join(f.name for f in front_ends().values() if f.reads_candidates)
        raise InputError(Diagnostic(f"candidates are for programs in {able}", Origin(candidates[0].file)))
    if options.report.harness is not None and not front_end.writes_harnesses:
        able = " or ".join(f.name for f in front_ends().values() if f.writes_harnesses)
        names = ", ".join(source.file for source in sources)
        message = f"--harness is for programs in {able}, and this one is in {front_end.name}"
        raise InputError(Diagnostic(message, Origin(names)))
    with showing_lines(sources):
        loaded = front_end.load(sources, candidates, own_options(front_end, options))
        require_known_builtins(loaded.program)
    notes = notes_of_inferred(loaded.program) if options.report.verbose else []
    return replace(identify_assertions(infer_modifies(loaded.program)), warnings=(*loaded.warnings, *notes))


def files_of_project(path: str) -> list[str]:
    """The files that make a program, by the file that names them, in the order of that. Raises `InputError`."""
    return next((f.project(path) for f in front_ends().values() if f.names_files), [])


def _front_end_for(sources: Sequence[Source]) -> FrontEnd:
    """The front end that reads all these files; texts without a name that tells are for the default one."""
    default = front_ends()[DEFAULT]
    found = [front_end_of(source.file) or default for source in sources]
    special = next((f for f in found if f is not default), default)
    other = next((source for source, f in zip(sources, found, strict=True) if f is not special), None)
    if other is not None:
        message = f"not {special.name}, as other files of the program are"
        raise InputError(Diagnostic(message, Origin(other.file)))
    return special


def read_files(paths: Sequence[str], options: Options, sources: list[Source]) -> Program:
    """The program that the files make, with the candidates that the options name; the texts go to `sources`."""
    names = [*paths, *([] if options.summaries.candidates is None else [options.summaries.candidates])]
    if names.count(STDIN) > 1:
        raise InputError("standard input can be read only once, but is named twice")
    sources.extend(map(read_source, paths))
    candidates = [read_text(name) for name in names[len(paths) :]]
    read = sources[: len(paths)]
    sources.extend(candidates)
    if options.task.witness is not None:
        read = _following(options.task.witness, read, options)
    return load(read, candidates, options)


def _following(path: str, sources: Sequence[Source], options: Options) -> list[Source]:
    """The sources that do what a witness in a file says."""
    from paddock.driver.witnesses import read_witness, require_same_files

    front_end, witness = _front_end_for(sources), read_witness(path)
    require_same_files(witness, sources)
    with showing_lines(sources):
        following = front_end.following(witness, sources, own_options(front_end, options))
    if following is None:
        raise InputError(Diagnostic(f"--witness is not for programs in {front_end.name}", Origin(sources[0].file)))
    return list(following)


@contextmanager
def showing_lines(sources: Sequence[Source]) -> Iterator[None]:
    """Whatever is found to be wrong inside is shown with the line that it is in."""
    texts = {source.file: source for source in sources}
    try:
        yield
    except InputError as error:
        shown = [
            d
            if d.source_line or d.origin.file not in texts or not d.origin.line
            else replace(d, source_line=texts[d.origin.file].line(d.origin.line))
            for d in error.diagnostics
        ]
        raise InputError(shown) from None


def warning_text(diagnostic: Diagnostic) -> str:
    """What the user should know, with its place if it has one."""
    return diagnostic.message if diagnostic.origin == NOWHERE else f"{diagnostic.origin}: {diagnostic.message}"
