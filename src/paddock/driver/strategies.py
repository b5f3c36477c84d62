"""Which ways to search a check tries where the choice is left to us, and in which order (`--strategy auto`).

One after the other, they take turns: each turn has an allowance of work, as the solver counts it, so that what happens
does not depend on the machine; the allowance grows, so that starting anew costs no more than a part of the whole. Side
by side (`--jobs N`), each has a process of its own, and the first that knows the verdict ends the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paddock.frontends import language_of
from paddock.frozen import frozen
from paddock.ir.program import Program
from paddock.ir.threads import has_threads
from paddock.options import Options

PLAIN, REFINED, SYMBOLIC = "plain", "refined", "symbolic"

# What the first turn of the plain search may take, as the solver counts seconds, and how that grows.
FIRST_ALLOWANCE = 400.0
GROWTH = 4.0
FEWEST_GLOBALS = 2  # with fewer, there is nothing to forget


@frozen
class Turn:
    """A way to search, by its name, and what it may take."""

    name: str
    changes: Mapping[str, object]
    allowance: float


def is_free(options: Options) -> bool:
    """Whether the way to search is left to us."""
    return not any(
        (
            options.refinement.refine != "none",
            options.summaries.houdini,
            options.dependence.implications,
            options.regions.gamble,
            options.search != Options().search,
        )
    )


def takes_turns(prepared: Program, options: Options) -> bool:
    """Whether the plain search of a prepared program takes turns with others. A store is for plain searches."""
    enough = len(prepared.globals) >= FEWEST_GLOBALS
    return enough and is_free(options) and options.summaries.store is None


def turns() -> Iterator[Turn]:
    """The turns after the first, which is that of the plain search."""
    allowance = FIRST_ALLOWANCE
    while True:
        yield Turn(REFINED, {"refine": "core"}, allowance)
        allowance *= GROWTH
        yield Turn(PLAIN, {}, allowance)


def side_by_side(given: Program, options: Options, jobs: int) -> list[tuple[str, Options]]:
    """As many ways to search a program as there are jobs, by their names. What the options ask for comes first. There
    are always more: a search that starts from another seed goes another way."""
    ways: list[tuple[str, Mapping[str, object]]] = [(PLAIN, {})]
    if is_free(options):
        if language_of(given).computes:
            ways = [(SYMBOLIC, {}), (PLAIN, {"engine": "dag"})]
        ways.append((REFINED, {"refine": "core"}))
        if options.task.goal != "return" and not has_threads(given):
            ways.append(("alternating", {"engine": "alternating"}))
    ways += [(f"seed {n}", {"seed": n}) for n in range(options.smt.seed + 1, options.smt.seed + 1 + jobs)]
    return [(name, options.changed(**changes, jobs=None)) for name, changes in ways[:jobs]]
