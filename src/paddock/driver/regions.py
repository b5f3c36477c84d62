"""From files to their regions: the pipeline of the commands `regions` and `extract`."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.backends.c_text import NotInC, c_text
from paddock.driver import loading
from paddock.driver.gambling import hierarchy_of
from paddock.driver.plan import CheckPlan
from paddock.engines.regions.extract import extracted
from paddock.engines.regions.tree import Hierarchy
from paddock.frontends.source import Source
from paddock.ir.graph import reverse_postorder
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.printer import program_text
from paddock.ir.spelling import did_you_mean
from paddock.options import Options
from paddock.report.regions import RegionNode

MOST_NAMED = 10  # of the regions, in a message


def tree_of_files(paths: Sequence[str], options: Options) -> dict[str, RegionNode]:
    """The regions of the program that the files make; its entry is the first."""
    return region_tree(_hierarchy(paths, options))


def region_tree(hierarchy: Hierarchy) -> dict[str, RegionNode]:
    """The regions as plain data; that of the entry is the first."""
    regions = hierarchy.regions
    order = [hierarchy.root, *(name for name in regions if name != hierarchy.root)]
    position = {name: n for n, name in enumerate(reverse_postorder(hierarchy.children, hierarchy.root))}
    return {
        name: RegionNode(
            name,
            regions[name].head is not None,
            regions[name].origin.file,
            regions[name].origin.line,
            regions[name].last_line,
            len(hierarchy.assertions[name]),
            tuple(hierarchy.children[name]),
            tuple(child for child in hierarchy.children[name] if position[child] <= position[name]),
        )
        for name in order
    }


def extracted_from_files(paths: Sequence[str], options: Options, name: str, language: str = "boogie") -> str:
    """One region of the program that the files make, as a program of its own, in Boogie or in C."""
    hierarchy = _hierarchy(paths, options)
    if name not in hierarchy.regions:
        known = list(hierarchy.regions)
        rest = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
        listing = f"the regions are: {', '.join(known[:MOST_NAMED])}{rest}"
        raise InputError(Diagnostic(f"there is no region {name}", hint=did_you_mean(name, known) or listing))
    program = extracted(hierarchy.program, hierarchy.regions[name])
    if language == "boogie":
        return program_text(program)
    try:
        return c_text(program)
    except NotInC as reason:
        message = f"the region {name} cannot be written in C: {reason}"
        raise InputError(Diagnostic(message, hierarchy.regions[name].origin)) from None


def _hierarchy(paths: Sequence[str], options: Options) -> Hierarchy:
    sources: list[Source] = []
    given = loading.read_files(paths, options, sources)
    with loading.showing_lines(sources):
        plan = CheckPlan(options)
        return hierarchy_of(plan.original(plan.identified(given)))
