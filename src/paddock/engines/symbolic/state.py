"""What is known at a point of the execution, and how two such states become one where their paths meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from paddock.engines.symbolic.cells import Cells, Memory
from paddock.engines.symbolic.nodes import Algebra, Node, Span
from paddock.engines.symbolic.rules import opposite, signed_span
from paddock.engines.symbolic.spans import LOOKED_INTO, combined
from paddock.engines.symbolic.switches import FIRST, Step
from paddock.frozen import field, mutable
from paddock.ir.expr import Var
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, BitVecSort

_DEEPEST = 6  # levels of a term that are looked into for its range
_MOST_RANGES = 200
_MOST_LOOKED_AT = 4000  # conditions, to find out what follows from others
_MOST_CONDITIONS = 12  # that are distinguished where paths meet

Value = Node | Cells
Variables = dict[Var, Value]
Ranges = Mapping[Node, Span]


class Guard:
    """The condition under which a point is reached: conditions one after the other, as they were met. Guards share what
    was met before they parted, which makes merging them simple."""

    __slots__ = ("condition", "depth", "parent", "whole")

    def __init__(self, parent: Guard | None, condition: Node, algebra: Algebra) -> None:
        self.parent = parent
        self.condition = condition
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.whole: Node = condition if parent is None else algebra.and_(parent.whole, condition)

    def since(self, ancestor: Guard) -> list[Node]:
        """The conditions after those of an ancestor, earliest first."""
        found: list[Node] = []
        guard: Guard = self
        while guard is not ancestor:
            found.append(guard.condition)
            assert guard.parent is not None
            guard = guard.parent
        found.reverse()
        return found


def common_ancestor(a: Guard, b: Guard) -> Guard:
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a = a.parent
        else:
            assert b.parent is not None
            b = b.parent
    return a


@mutable
class State:
    """A state. `ranges` are those of terms, as far as the conditions on the way say something of them; `step` is what a
    thread has done."""

    globals: Variables
    locals: Variables
    guard: Guard
    ranges: dict[Node, Span] = field(default_factory=dict)
    step: Step = FIRST

    def copied(self) -> State:
        return State(dict(self.globals), dict(self.locals), self.guard, dict(self.ranges), self.step)


class Known:
    """What follows, for conditions, from some that hold."""

    def __init__(self, holding: Iterable[Node]) -> None:
        self._holds: dict[Node, bool | None] = {}
        self._left = _MOST_LOOKED_AT
        for condition in holding:
            inner, holds = (condition.args[0], False) if condition.op is Op.NOT else (condition, True)
            self._holds[inner] = holds

    def holds(self, root: Node) -> bool | None:
        """Whether a condition holds, or does not; None if that is not known."""
        stack = [root]
        while stack:
            node = stack[-1]
            self._left -= 1
            if node in self._holds or self._left < 0 or node.op not in (Op.AND, Op.OR, Op.NOT):
                self._holds.setdefault(node, bool(node.data) if node.is_literal else None)
                stack.pop()
                continue
            missing = [a for a in node.args if a not in self._holds]
            if missing:
                stack += missing
                continue
            parts = [self._holds[a] for a in node.args]
            if node.op is Op.NOT:
                self._holds[node] = None if parts[0] is None else not parts[0]
            else:
                deciding = node.op is Op.OR  # one part that holds decides a disjunction
                same = not deciding if all(p is (not deciding) for p in parts) else None
                self._holds[node] = deciding if deciding in parts else same
        return self._holds[root]


class States:
    """Operations on states."""

    def __init__(self, algebra: Algebra, memory: Memory) -> None:
        self.algebra = algebra
        self.memory = memory
        self.start = Guard(None, algebra.true, algebra)

    def assume(self, state: State, condition: Node) -> bool:
        """Go on where a condition holds; False if that is nowhere."""
        for part in self.conjuncts(condition):
            decided = self.decided(part, state.ranges)
            if decided is True:
                continue
            if decided is False:
                return False
            state.guard = Guard(state.guard, part, self.algebra)
            if state.guard.whole is self.algebra.false:
                return False
            self._note(state.ranges, part)
        return True

    def decided(self, condition: Node, ranges: Ranges) -> bool | None:
        """Whether a condition is known to hold, or not to."""
        if condition.is_literal:
            return bool(condition.data)
        inner, positive = (condition.args[0], False) if condition.op is Op.NOT else (condition, True)
        known = ranges.get(inner)
        return None if known is None else (known == (1, 1)) == positive

    def conjuncts(self, condition: Node) -> Iterator[Node]:
        """Conditions that together say the same."""
        stack = [condition]
        while stack:
            node = stack.pop()
            if node.op is Op.AND:
                stack += reversed(node.args)
            elif node.op is Op.NOT and node.args[0].op is Op.OR:
                stack += [self.algebra.not_(a) for a in reversed(node.args[0].args)]
            else:
                yield node

    def merged(self, states: list[State], initial: Callable[[Var], Value]) -> State:
        """One state for several, of which at most one is reached. Those that parted last are merged first. `initial` is
        what a variable is that a state does not have yet."""
        result = states[-1]
        for state in reversed(states[:-1]):
            result = self._merged(state, result, initial)
        return result

    def _merged(self, a: State, b: State, initial: Callable[[Var], Value]) -> State:
        algebra = self.algebra
        ancestor = common_ancestor(a.guard, b.guard)
        one, other = self._since(a.guard, ancestor), self._since(b.guard, ancestor)
        if one and other and opposite(one[0], other[0]):
            chooses = one[0]
        else:
            chooses = self._all(one)
        both = algebra.or_(self._all(one), self._all(other))
        guard = ancestor if both is algebra.true else Guard(ancestor, both, algebra)
        ranges = {
            node: (min(low, b.ranges[node][0]), max(high, b.ranges[node][1]))
            for node, (low, high) in a.ranges.items()
            if node in b.ranges and (node.sort is not BOOL or b.ranges[node] == (low, high))
        }
        return State(
            self.merged_variables(chooses, a.globals, b.globals, initial),
            self.merged_variables(chooses, a.locals, b.locals, initial),
            guard,
            ranges,
            a.step.merged(b.step),
        )

    def restricted(self, variables: Variables, condition: Node) -> Variables:
        """Variables without the alternatives that a condition excludes."""
        known = Known(self.conjuncts(condition))
        done: dict[Node, Node] = {}

        def value(of: Value) -> Value:
            if isinstance(of, Node):
                return self._restricted(of, known, done) if of.op is Op.ITE else of
            entries = {key: value(entry) for key, entry in of.entries.items()}
            same = all(entries[key] is entry for key, entry in of.entries.items())
            return of if same else Cells(of.base, entries, of.sort)

        return {var: value(old) for var, old in variables.items()}

    def _restricted(self, root: Node, known: Known, done: dict[Node, Node]) -> Node:
        """A choice without the alternatives that are excluded: as far as they are at the top, or, of a choice between
        literals, anywhere. (To look for them anywhere would make many terms that share nothing.)"""
        while root.op is Op.ITE and (holds := known.holds(root.args[0])) is not None:
            root = root.args[1 if holds else 2]
        stack = [root] if root.leaves else []
        while stack:
            node = stack[-1]
            if node in done or node.op is not Op.ITE:
                done.setdefault(node, node)
                stack.pop()
                continue
            condition, then, otherwise = node.args
            holds = known.holds(condition)
            parts = (then, otherwise) if holds is None else (then if holds else otherwise,)
            missing = [p for p in parts if p not in done]
            if missing:
                stack += missing
            elif len(parts) == 1:
                done[node] = done[parts[0]]
            else:
                done[node] = self.algebra.ite(condition, done[then], done[otherwise])
        return done.get(root, root)

    def merged_variables(self, chooses: Node, a: Variables, b: Variables, initial: Callable[[Var], Value]) -> Variables:
        """The variables of one of two states: `a` if the condition holds, and else `b`."""
        result: Variables = {}
        merged = self.memory.merged
        for var, value in a.items():
            other = b.get(var)
            if other is not value:
                other = initial(var) if other is None else other
                value = merged(chooses, value, other)
            result[var] = value
        for var, value in b.items():
            if var not in result:
                result[var] = merged(chooses, initial(var), value)
        return result

    def _since(self, guard: Guard, ancestor: Guard) -> list[Node]:
        """The conditions of a guard after those of an ancestor; all at once if they are many, which says the same of
        executions that come there."""
        if guard.depth - ancestor.depth <= _MOST_CONDITIONS:
            return guard.since(ancestor)
        return [guard.whole]

    def _all(self, conditions: list[Node]) -> Node:
        result = self.algebra.true
        for condition in conditions:
            result = self.algebra.and_(result, condition)
        return result

    # --- ranges ----------------------------------------------------------------------------------

    def span(self, node: Node, ranges: Ranges, depth: int = _DEEPEST) -> Span:
        """The range of a bit-vector, in view of what is known."""
        known = ranges.get(node)
        low, high = node.span
        if known is not None:
            low, high = max(low, known[0]), min(high, known[1])
        if low == high or depth == 0 or not ranges or node.op not in LOOKED_INTO:
            return (low, high)
        parts = [self.span(a, ranges, depth - 1) if isinstance(a.sort, BitVecSort) else a.span for a in node.args]
        inner = combined(node, parts)
        return (max(low, inner[0]), min(high, inner[1]))

    def _note(self, ranges: dict[Node, Span], condition: Node) -> None:
        """Note what a condition that holds says of ranges."""
        if len(ranges) >= _MOST_RANGES:
            del ranges[next(iter(ranges))]
        inner, holds = (condition.args[0], False) if condition.op is Op.NOT else (condition, True)
        ranges[inner] = (1, 1) if holds else (0, 0)
        if inner.op is Op.EQ and holds and inner.args[1].is_literal and isinstance(inner.args[1].sort, BitVecSort):
            self._narrow(ranges, inner.args[0], inner.args[1].span)
        elif inner.op in (Op.BVULT, Op.BVSLT):
            self._compared(ranges, inner, holds)

    def _compared(self, ranges: dict[Node, Span], comparison: Node, holds: bool) -> None:
        a, b = comparison.args
        top, half = (1 << a.width) - 1, 1 << (a.width - 1)
        one, other = self.span(a, ranges), self.span(b, ranges)
        if comparison.op is Op.BVSLT:
            one, other = signed_span(one, half), signed_span(other, half)
        if holds:
            one, other = (one[0], min(one[1], other[1] - 1)), (max(other[0], one[0] + 1), other[1])
        else:
            one, other = (max(one[0], other[0]), one[1]), (other[0], min(other[1], one[1]))
        for node, (low, high) in ((a, one), (b, other)):
            if low <= high and (low >= 0) == (high >= 0):  # signed numbers of both signs are no range
                self._narrow(ranges, node, (low & top, high & top))

    def _narrow(self, ranges: dict[Node, Span], node: Node, span: Span) -> None:
        if node.is_literal:
            return
        low, high = self.span(node, ranges, 0)
        ranges[node] = (max(low, span[0]), min(high, span[1]))
        # What holds of a number with more bits holds of the number itself.
        if node.op is Op.ZERO_EXTEND or (node.op is Op.SIGN_EXTEND and span[1] < 1 << (node.args[0].width - 1)):
            self._narrow(ranges, node.args[0], span)
        elif node.op is Op.BVADD and node.args[1].is_literal and span[0] >= node.args[1].value:
            offset = node.args[1].value
            self._narrow(ranges, node.args[0], (span[0] - offset, span[1] - offset))
