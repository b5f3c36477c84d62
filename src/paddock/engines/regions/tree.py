"""Regions of a program and how they are nested (Akhundov et al., Verification by Gambling on Program Slices, §2, §3.1).

A cyclic region is a loop, its body is the loop without the jumps back to its head. Every path to a block of a region
has a suffix that starts at the head and stays inside, so what cannot fail in a region cannot fail at all (Theorem 1).
Each procedure has a region nesting tree (Algorithms 1 and 2); together with the calls they make a hierarchy (Fig. 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE
from paddock.ir.callgraph import CallGraph
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name
from paddock.ir.graph import strongly_connected_components
from paddock.ir.names import FreshNames
from paddock.ir.origin import AssertionId, Origin
from paddock.ir.program import Implementation, Procedure, Program
from paddock.ir.rewriting import calls_in
from paddock.ir.stmt import Assert, Assume
from paddock.passes.reducible import made_reducible


@frozen
class Region:
    """The body of a loop, or (without a `head`) a whole procedure. `parent` is the region around it in its procedure,
    `blocks` has the labels in it, in reverse postorder, and `own` those that are in no region inside it."""

    id: str
    procedure: str
    head: str | None
    parent: str | None
    blocks: tuple[str, ...]
    own: tuple[str, ...]
    origin: Origin  # of the loop or the procedure
    last_line: int

    @property
    def name(self) -> str:
        """What a user calls it."""
        return f"procedure {self.procedure}" if self.head is None else f"loop at {self.origin}"


def made_regional(program: Program) -> Program:
    """The program with graphs in which every loop has one head."""

    def reducible(procedure: Procedure) -> Procedure:
        bodies = tuple(made_reducible(i, procedure.name) for i in procedure.implementations)
        return replace(procedure, implementations=bodies)

    return replace(program, procedures=tuple(map(reducible, program.procedures)))


class Hierarchy:
    """The regions of a program with reducible graphs and one body a procedure, by their ids. A procedure stands before
    the loops in it, and these before those inside them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        names = FreshNames(p.name for p in program.procedures)
        self.regions: dict[str, Region] = {}
        for procedure in program.procedures:
            if procedure.body is not None:
                self.regions.update((r.id, r) for r in rnt_gen(procedure, procedure.body, names))
        self.root = entry_name(program)

    @cached_property
    def _innermost(self) -> dict[tuple[str, str], str]:
        """The innermost region around each block."""
        return {(r.procedure, label): r.id for r in self.regions.values() for label in r.own}

    @cached_property
    def parents(self) -> dict[str, list[str]]:
        """The regions right around each region: the one in the same procedure or, for a procedure, those that call it
        from outside of its recursion. An execution in a procedure that may call itself has come from there."""
        calls = CallGraph(self.program)
        around: dict[str, list[str]] = {r.id: [r.parent] for r in self.regions.values() if r.parent is not None}
        callers = self._callers()
        for group in calls.components:
            members = [name for name in group if name in self.regions]
            inside = set(members)
            outside = dict.fromkeys(
                caller for name in members for caller in callers[name] if self.regions[caller].procedure not in inside
            )
            for name in members:
                # The program starts in its entry, whoever else calls that.
                first = [self.root] if self.root in inside and name != self.root else []
                around[name] = [] if name == self.root else first + list(outside)
        return {region: around[region] for region in self.regions}

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """The regions right inside each region, and the procedures that it calls; first those that come first."""
        inside: dict[str, dict[str, None]] = {region: {} for region in self.regions}
        for region in self.regions.values():
            if region.parent is not None:
                inside[region.parent][region.id] = None
        for callee, callers in self._callers().items():
            for caller in callers:
                inside[caller][callee] = None
        return {region: list(found) for region, found in inside.items()}

    @cached_property
    def assertions(self) -> dict[str, list[AssertionId]]:
        """The assertions in the blocks that are each region's own, by their sources."""
        found: dict[str, dict[AssertionId, None]] = {region: {} for region in self.regions}
        for procedure, implementation in _bodies(self.program):
            for block in implementation.blocks:
                region = self._innermost.get((procedure.name, block.label))
                for statement in block.statements:
                    if region is not None and isinstance(statement, Assert):
                        found[region][statement.origin.identity()] = None
        return {region: list(sources) for region, sources in found.items()}

    def _callers(self) -> dict[str, list[str]]:
        """The regions in whose own blocks each procedure is called."""
        found: dict[str, dict[str, None]] = {r.id: {} for r in self.regions.values() if r.head is None}
        for procedure, implementation in _bodies(self.program):
            for block in implementation.blocks:
                region = self._innermost.get((procedure.name, block.label))
                for call in (c for s in block.statements for c in calls_in(s)):
                    if region is not None and call.procedure in found:
                        found[call.procedure][region] = None
        return {callee: list(callers) for callee, callers in found.items()}


def _bodies(program: Program) -> Iterator[tuple[Procedure, Implementation]]:
    return ((p, i) for p in program.procedures for i in p.implementations)


def rnt_gen(procedure: Procedure, body: Implementation, names: FreshNames) -> list[Region]:
    """Algorithm 1: the region nesting tree of a procedure, each region before those inside it."""
    cfg = Cfg(body)
    ends = _dead_ends(cfg)
    whole = Region(procedure.name, procedure.name, None, None, tuple(cfg.reverse_postorder), (), procedure.origin, 0)
    tree: list[Region] = []
    stack = [whole]
    while stack:
        region = stack.pop()
        inner = inner_finder(cfg, region, ends, names)
        inside = {label for r in inner for label in r.blocks}
        own = tuple(label for label in region.blocks if label not in inside)
        tree.append(replace(region, own=own, last_line=_last_line(cfg, region)))
        stack += reversed(inner)
    return tree


def inner_finder(cfg: Cfg, region: Region, ends: Mapping[str, None], names: FreshNames) -> list[Region]:
    """Algorithm 2: the regions right inside a region, in the order of their heads. They are found as the strongly
    connected components of its body, in which no jump leads back to its head."""
    inside = set(region.blocks)
    graph = {label: [s for s in cfg.successors[label] if s in inside and s != region.head] for label in region.blocks}
    found: list[tuple[str, list[str]]] = []
    for component in strongly_connected_components(graph):
        if len(component) > 1 or component[0] in graph[component[0]]:
            found.append((_entry_point(cfg, component), component))
    regions: list[Region] = []
    for head, component in sorted(found, key=lambda f: cfg.position[f[0]]):
        origin = cfg.blocks[head].origin
        name = names(f"{region.procedure}:{origin.line or head}")
        blocks = tuple(sorted(_with_dead_ends(cfg, component, ends), key=cfg.position.__getitem__))
        regions.append(Region(name, region.procedure, head, region.id, blocks, (), origin, 0))
    return regions


def _entry_point(cfg: Cfg, component: Sequence[str]) -> str:
    """The one block through which a component of a reducible graph is entered: it dominates the others."""
    return min(component, key=cfg.position.__getitem__)


def _dead_ends(cfg: Cfg) -> dict[str, None]:
    """The blocks that are run, if at all, at the end of an execution: an assumption blocks what comes after them."""
    ends: dict[str, None] = {}
    for label in reversed(cfg.reverse_postorder):
        statements, after = cfg.blocks[label].statements, cfg.successors[label]
        blocked = any(isinstance(s, Assume) and s.condition is FALSE for s in statements)
        if blocked or (after and all(s in ends for s in after)):
            ends[label] = None
    return ends


def _with_dead_ends(cfg: Cfg, component: Sequence[str], ends: Mapping[str, None]) -> set[str]:
    """A component with the dead ends that only it leads to. It stays a region, and an assertion that is checked by
    branching to where it fails is in it."""
    blocks = set(component)
    waiting = [s for label in component for s in cfg.successors[label]]
    while waiting:
        label = waiting.pop()
        if label not in blocks and label in ends and all(p in blocks for p in _reachable_before(cfg, label)):
            blocks.add(label)
            waiting += cfg.successors[label]
    return blocks


def _reachable_before(cfg: Cfg, label: str) -> list[str]:
    return [p for p in cfg.predecessors[label] if p in cfg.position]


def _last_line(cfg: Cfg, region: Region) -> int:
    """The last line of a region, as far as its statements tell."""
    origins = [region.origin]
    for label in region.blocks:
        block = cfg.blocks[label]
        origins += [block.origin, *(s.origin for s in block.statements), block.transfer.origin]
    return max(o.line for o in origins if o.file == region.origin.file)
