"""From files to what the assertions of a program have to do with each other: the pipeline of the commands `ussa`,
`implications` and `assertions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock import pipeline
from paddock.boogie.source import Source
from paddock.ir.entry import entry_name
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.program import Program
from paddock.options import Options
from paddock.passes.candidates import without_candidates
from paddock.search.bounds import Bounds
from paddock.search.implications.unwinding import MOST_STEPS, TooManySteps, unwound
from paddock.search.implications.ussa import Ussa, ussa_text


@dataclass(frozen=True, slots=True)
class Read:
    """A program as it was read, and as the engines expect it."""

    original: Program
    prepared: Program
    sources: tuple[Source, ...]


def read(paths: Sequence[str], options: Options) -> Read:
    """The program that the files make. Concurrent ones are refused."""
    sources: list[Source] = []
    given = pipeline.read_files(paths, options, sources)
    with pipeline.showing_lines(sources):
        original = pipeline.with_single_bodies(without_candidates(given), options)
        prepared = pipeline.prepare(original)
        pipeline.require_sequential(prepared)
    return Read(original, prepared, tuple(sources))


def ussa_of_files(paths: Sequence[str], options: Options) -> str:
    """The program that the files make, unwound up to the bounds, as text."""
    return ussa_text(unwound_within(read(paths, options).prepared, options))


def unwound_within(prepared: Program, options: Options) -> Ussa:
    """A prepared program, unwound up to the bounds of the options."""
    constant_loops = options.constant_loops and options.unwind is None
    bounds = Bounds(prepared, options.recursion_bound, options.loop_bound, constant_loops)
    try:
        return unwound(prepared, bounds)
    except TooManySteps:
        what = f"unwound up to the bounds, {entry_name(prepared)} has more than {MOST_STEPS:,} instructions"
        raise InputError(Diagnostic(what, hint="try a smaller --unwind or --recursion-bound")) from None
