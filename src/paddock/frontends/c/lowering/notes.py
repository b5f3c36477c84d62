"""Notes for narrating an execution: which places a statement reads and writes, under the names that C gives them.

    a[i] = f(p->v);      a[i], with the value of i in the brackets, and the value that is stored there

What is noted are terms over the IR's variables that are in scope anyway: notes change nothing in the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial, reduce

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import conjunction, disjunction
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.marks import Mark, Marks
from paddock.frontends.c.memory_leaves import Leaves, is_union_bits, leaf_name
from paddock.frontends.c.show import HOLE, Note, Presentation, Scalar, Watch
from paddock.frontends.c.text import expression_text, without_conversions
from paddock.frontends.c.walk import nodes_in
from paddock.frozen import field, mutable, replace
from paddock.ir.build import TRUE
from paddock.ir.expr import Expr, Var
from paddock.ir.program import VarDecl
from paddock.ir.walk import substitute

MOST_READS = 8  # that are shown of one statement

_HOLE = re.compile(f"{HOLE}(\\d+){HOLE}")

# The note of a call, its result, and the variable that gets it instead.
Given = tuple[int, Var, Var]
Name = tuple[str, tuple[tuple[Expr, c.CType], ...]]  # of a place, with holes


@mutable
class Notes:
    """Notes what a statement reads and writes."""

    blocks: Blocks
    marks: Marks
    presentation: Presentation
    indices: dict[t.Expression, Expr] = field(default_factory=dict)  # the values of indices that have been lowered
    # What the current statement has read, by text, and where that was.
    reads: dict[str, tuple[Watch, Mark]] = field(default_factory=dict)
    demands: list[Expr] = field(default_factory=list)  # under which the current expression is evaluated

    def name_of(self, place: t.Expression) -> Name:
        """What a place is called; indices that are not constant are holes."""
        holes = [
            node.index
            for node in nodes_in(place)
            if isinstance(node, t.Index)
            and node.index in self.indices
            and not isinstance(without_conversions(node.index), t.IntegerConstant)
        ]
        text = expression_text(place, {index: f"{HOLE}{n}{HOLE}" for n, index in enumerate(holes)})
        in_order = [holes[int(n)] for n in _HOLE.findall(text)]  # without those in the text of another one
        return _HOLE.sub(HOLE, text), tuple((self.indices[index], index.type) for index in in_order)

    def forget_indices(self, place: t.Expression, since: Mark) -> None:
        """Do not show the indices of a place that have other values by now."""
        for node in nodes_in(place):
            known = self.indices.get(node.index) if isinstance(node, t.Index) else None
            if isinstance(node, t.Index) and known is not None and self.marks.may_differ(known, since):
                del self.indices[node.index]

    def read(self, place: t.Expression, value: Expr) -> None:
        """A scalar is read."""
        if not c.is_scalar(place.type):
            return
        text, holes = self.name_of(place)
        always: Expr = TRUE
        when = reduce(conjunction, self.demands, always)
        if text not in self.reads:
            if len(self.reads) < MOST_READS:
                self.reads[text] = Watch(text, value, place.type, holes, when), self.marks.mark()
            return
        known, mark = self.reads[text]
        if (known.value, known.holes) == (value, holes):
            self.reads[text] = replace(known, when=disjunction(known.when, when)), mark

    def add(self, kind: str, text: str = "", given: Given | None = None, holds: bool | None = None) -> int:
        """A note that shows what the current statement has read so far."""
        return self._add(Note(kind, text, self.watches(), holds=holds), given)

    def watches(self) -> tuple[Watch, ...]:
        """What the current statement has read so far, and has not changed since."""
        return tuple(watch for watch, mark in self.reads.values() if not self._is_outdated(watch, mark))

    def _is_outdated(self, watch: Watch, mark: Mark) -> bool:
        """Whether what has been read may have changed since."""
        terms = [
            watch.when,
            *(hole for hole, _ in watch.holes),
            *([] if isinstance(watch.value, str) else [watch.value]),
        ]
        return any(self.marks.may_differ(term, mark) for term in terms)

    def written(self, name: Name | None, value: Expr | str, type_: c.CType, given: Given | None = None) -> int | None:
        """A note that a place with this name, if it has one, gets a value."""
        if name is None:
            return None
        text, holes = name
        return self._add(Note(watches=(Watch(text, value, type_, holes),)), given)

    def given_by(self, value: Expr, target: Var) -> Given | None:
        """That a variable gets its value directly from the call that has just been made, if that is so."""
        if not self.blocks.is_fresh_result(value):
            return None
        assert isinstance(value, Var)
        return self.blocks.note_of_last(), value, target

    def _add(self, note: Note, given: Given | None) -> int:
        """The number of a note, which also says what that of the call says whose place it takes."""
        shown = self.presentation
        if given is not None:
            call, result, target = given
            earlier = shown.notes[call]
            swap = partial(substitute, substitution={result: target})
            reached = tuple(
                replace(r, start=swap(r.start), address=swap(r.address), value=swap(r.value)) for r in earlier.reached
            )
            note = replace(note, watches=(*earlier.watches, *note.watches), reached=reached, failing=earlier.failing)
        return shown.add(note)


def part_name(name: Name | None, path: Sequence[c.Field | int]) -> Name | None:
    """The name of a part of something that has a name."""
    if name is None:
        return None
    text, holes = name
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.name:
            text += f".{step.name}"
    return text, holes


def shown_scalars(name: str, type_: c.CType, leaves: Leaves, formals: Iterator[VarDecl]) -> list[Scalar]:
    """What is passed or returned as one of the types: the scalars in it that can be shown one by one."""
    found = []
    for leaf in () if isinstance(type_, c.VoidType) else leaves.of(type_):
        var = next(formals).var
        if not leaf.dimensions and not is_union_bits(leaf.type):
            found.append(Scalar(leaf_name(name, leaf), var, leaf.type))
    return found
