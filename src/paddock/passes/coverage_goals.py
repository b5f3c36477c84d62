"""Goals of coverage: wherever a place that is to be reached is, a constant is asserted of which nothing is known.

    procedure P(x: int)                      const goal_P, goal_P#1, goal_P#2: bool;
    {                                        procedure P(x: int)
      start:                                 {
        goto a, b;                             start: assert goal_P; goto a, b;
      a: assume {:partition} x > 0; return;    a: assume {:partition} x > 0;   assert goal_P#1; return;
      b: assume {:partition} x <= 0; return;   b: assume {:partition} x <= 0;  assert goal_P#2; return;
    }                                        }

Such an assertion can fail iff an execution comes to it, and executions on which it holds go on. The criterion says
what is to be reached: `branch`, each target of each branch and the beginning of each procedure, as in the study of
reachability of the Corral paper (§4.4); `line`, each line with a statement; `assertion`, each assertion, contracts at
calls and exits among them. Assertions of the program become assumptions: an execution ends where one fails.

A front end that knows better what its branches and lines are marks them, `assume {:goal "branch", "x > 0"} true`. An
assertion `{:guarded}` that is reached only where it fails, as C's macro makes it, is at the jump that leads there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

from paddock.frozen import field, frozen, mutable, replace
from paddock.ir.build import FALSE
from paddock.ir.cfg import Cfg
from paddock.ir.expr import Attribute, Scope, Var
from paddock.ir.lexical import quotable
from paddock.ir.names import FreshNames
from paddock.ir.origin import AssertionId, InputError, Made, Origin, Role
from paddock.ir.printer import expr_text
from paddock.ir.program import Constant, Implementation, Procedure, Program, find_attribute
from paddock.ir.rewriting import variables_in
from paddock.ir.stmt import Assert, Assume, Block, Goto, Statement
from paddock.ir.types import BOOL
from paddock.passes.check_specs import check_specs

BRANCH, LINE, ASSERTION = "branch", "line", "assertion"
CRITERIA = (BRANCH, LINE, ASSERTION)
MARK = "goal"  # the attribute of marks, and of the assertions that are goals
GUARDED = "guarded"

_NAME = "coverage-goals"
_Place = tuple[str, int, int]
_GOAL = Made(_NAME, Role.SWITCH)  # the constants
_HOLDS = Made(_NAME)  # what an assertion of the program has become


def coverage_goals(program: Program, criterion: str) -> Program:
    """The program whose assertions are the goals of a criterion."""
    program = check_specs(program)
    taken = {v.name for p in program.procedures for v in variables_in(p)}
    fresh = FreshNames(taken.union(program.top_level_names()))
    goals = _Goals(criterion, fresh, _is_marked(program), {_place(p.origin) for p in program.generic})
    procedures = tuple(map(goals.procedure, program.procedures))
    return replace(program, constants=(*program.constants, *goals.constants.values()), procedures=procedures)


@mutable
class _Goals:
    criterion: str
    fresh: FreshNames
    is_marked: bool  # the front end has said where branches and lines are
    generic: set[_Place]  # procedures that are there once for each of the types that they are used at
    constants: dict[AssertionId, Constant] = field(default_factory=dict)
    _text: Hashable = ""
    _seen: Counter[AssertionId] = field(default_factory=Counter)  # in the current procedure
    _last: Counter[AssertionId] = field(default_factory=Counter)
    _numbers: dict[tuple[Hashable, AssertionId, int], int] = field(default_factory=dict)

    def procedure(self, given: Procedure) -> Procedure:
        place = _place(given.origin)
        self._text = place if place in self.generic else given.name
        self._seen.clear()
        return replace(given, implementations=tuple(self._body(i, given) for i in given.implementations))

    def _body(self, given: Implementation, procedure: Procedure) -> Implementation:
        guarded = [(b, s) for b in given.blocks for s in b.statements if isinstance(s, Assert) and _is_guarded(b, s)]
        of_edges = self._of_edges(given, guarded, procedure.name) if self.criterion == ASSERTION else {}
        on_assertions = _siblings(given, {block.label for block, _ in guarded})
        starts = {} if self.is_marked or self.criterion != BRANCH else _starts(given, procedure)
        blocks = []
        for block in given.blocks:
            start = starts.get(block.label)
            statements = list(self._statements(block, procedure.name, start, block.label in on_assertions))
            blocks.append(replace(block, statements=(*statements, *of_edges.get(block.label, ()))))
        return replace(given, blocks=tuple(blocks))

    def _statements(
        self, block: Block, procedure: str, start: tuple[str, Origin] | None, is_on_assertion: bool
    ) -> Iterator[Statement]:
        """The statements of a block with goals between them; one that is reached at its start has a text. A branch on
        whether an assertion holds is none of the user's."""
        if start is not None and not _is_partition(block):
            yield self._goal(BRANCH, *start, procedure)
            start = None
        line = 0
        for statement in block.statements:
            origin = statement.origin
            mark = _mark(statement)
            by_line = self.criterion == LINE and not self.is_marked and origin.role is None
            if by_line and origin.line and origin.line != line:
                line = origin.line
                yield self._line(origin, procedure)
            if mark is not None:
                if mark[0] == self.criterion == LINE:
                    yield self._line(origin, procedure)
                elif mark[0] == self.criterion and not is_on_assertion:
                    yield self._goal(*mark, origin, procedure)
            elif isinstance(statement, Assert):
                if self.criterion == ASSERTION and not _is_guarded(block, statement):
                    yield self._asserted(statement, procedure)
                yield Assume(statement.condition, origin=origin.by(_HOLDS))
            else:
                yield statement
            if start is not None:
                yield self._goal(BRANCH, *start, procedure)
                start = None
        origin = block.transfer.origin
        by_line = self.criterion == LINE and not self.is_marked and origin.role is None
        if by_line and origin.line and origin.line != line:
            yield self._line(origin, procedure)

    def _of_edges(
        self, body: Implementation, guarded: Sequence[tuple[Block, Assert]], procedure: str
    ) -> dict[str, list[Statement]]:
        """The goals at the ends of blocks: assertions that are reached behind a jump only where they fail."""
        found: dict[str, list[Statement]] = {}
        cfg = Cfg(body)
        for block, assertion in guarded:
            for label in cfg.predecessors[block.label]:
                found.setdefault(label, []).append(self._asserted(assertion, procedure))
        return found

    def _asserted(self, assertion: Assert, procedure: str) -> Assert:
        """The goal that an assertion is reached; it keeps its identity."""
        message = find_attribute(assertion.attributes, "msg")
        is_check = message is not None and find_attribute(assertion.attributes, "kind") is not None
        text = str(message.params[0]) if message and is_check else quotable(expr_text(assertion.condition))
        attributes = (Attribute(MARK, (ASSERTION, text)), *(a for a in assertion.attributes if a.name == "id"))
        return self._as_goal(Assert(FALSE, attributes, assertion.origin), procedure)

    def _line(self, origin: Origin, procedure: str) -> Assert:
        """The goal that a line is reached, which may be so at several places."""
        source = AssertionId(origin.file, origin.line, 0, LINE, 1)
        name = Attribute("id", (f"{procedure}.{LINE}.{origin.line}",))
        attributes = (Attribute(MARK, (LINE, f"line {origin.line}")), name)
        known = self.constants.get(source)
        if known is not None:  # a line is of the procedure that is first
            return Assert(known.var, attributes, known.origin.by(Made(_NAME, Role.CHECK, LINE)).asserting(source))
        made = Origin(origin.file, origin.line, 0, Made(_NAME, Role.CHECK, LINE)).asserting(source)
        return self._as_goal(Assert(FALSE, attributes, made), procedure)

    def _goal(self, kind: str, text: str, origin: Origin, procedure: str) -> Assert:
        """A goal of its own; copies of a generic procedure share theirs."""
        exact = AssertionId(origin.file, origin.line, origin.column, kind)
        self._seen[exact] += 1
        key = self._text, exact, self._seen[exact]
        if key not in self._numbers:
            self._last[exact] += 1
            self._numbers[key] = self._last[exact]
        made = origin.by(Made(_NAME, Role.CHECK, kind)).asserting(replace(exact, nth=self._numbers[key]))
        return self._as_goal(Assert(FALSE, (Attribute(MARK, (kind, text)),), made), procedure)

    def _as_goal(self, assertion: Assert, procedure: str) -> Assert:
        source = assertion.origin.identity()
        if source not in self.constants:
            var = Var(self.fresh(f"goal_{procedure}"), BOOL, Scope.CONST)
            self.constants[source] = Constant(var, origin=assertion.origin.by(_GOAL).asserting(source))
        return replace(assertion, condition=self.constants[source].var)


def _starts(body: Implementation, procedure: Procedure) -> dict[str, tuple[str, Origin]]:
    """The blocks that are the beginning of a procedure or a target of a branch, with what to call them."""
    first = body.blocks[0].label
    found = {first: (f"{procedure.name} is entered", procedure.origin)}
    by_label = {block.label: block for block in body.blocks}
    for block in body.blocks:
        if not isinstance(block.transfer, Goto) or len(set(block.transfer.targets)) < 2:
            continue
        for label in block.transfer.targets:
            target = by_label[label]
            partition = target.statements[0] if _is_partition(target) else None
            if isinstance(partition, Assume):
                found.setdefault(label, (quotable(expr_text(partition.condition)), partition.origin))
            elif label != first:
                found.setdefault(label, (f"goto {label}", target.origin))
    return found


def _siblings(body: Implementation, labels: set[str]) -> set[str]:
    """The targets of all jumps that may go to one of some blocks."""
    jumps = (set(block.successors) for block in body.blocks)
    return {label for targets in jumps if not labels.isdisjoint(targets) for label in targets}


def _place(origin: Origin) -> _Place:
    return origin.file, origin.line, origin.column


def _is_partition(block: Block) -> bool:
    """Whether a block opens with the condition under which it is chosen."""
    match block.statements:
        case (Assume(attributes=attributes), *_):
            return find_attribute(attributes, "partition") is not None
        case _:
            return False


def _is_guarded(block: Block, assertion: Assert) -> bool:
    """Whether a block is the branch on which an assertion fails."""
    if find_attribute(assertion.attributes, GUARDED) is None or assertion.condition is not FALSE:
        return False
    before = block.statements[: next(n for n, s in enumerate(block.statements) if s is assertion)]
    return _is_partition(block) and all(s is block.statements[0] or _mark(s) is not None for s in before)


def _mark(statement: Statement) -> tuple[str, str] | None:
    """What a front end marks as a goal: the criterion, and what to call it."""
    found = find_attribute(statement.attributes, MARK) if isinstance(statement, Assume) else None
    match found.params if found else ():
        case (str(kind), str(text)):
            return kind, text
        case _:
            return None


def _is_marked(program: Program) -> bool:
    bodies = (i for p in program.procedures for i in p.implementations)
    return any(_mark(s) is not None for body in bodies for block in body.blocks for s in block.statements)


@frozen
class CoverageGoals:
    """The pass `coverage-goals`."""

    name: ClassVar[str] = _NAME
    summary: ClassVar[str] = "each branch, line or assertion that is to be reached as an assertion"
    criterion: str = BRANCH

    def __call__(self, program: Program) -> Program:
        if self.criterion not in CRITERIA:
            raise InputError(f"the criterion of coverage is one of {', '.join(CRITERIA)}, not '{self.criterion}'")
        return coverage_goals(program, self.criterion)
