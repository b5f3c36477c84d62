"""Maps of a state: element by element where the indices are known, and a term of the solver's for the rest.

`Cells` are immutable: what is at literal indices is in `entries`, all else in `base`. An index that may be one of a
few literals touches those elements only, each under the condition that it is this one; one in a known range leaves all
entries outside of it as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from paddock.engines.symbolic.nodes import Algebra, Leaf, Node, Span
from paddock.solvers.ops import Op
from paddock.solvers.sorts import ArraySort, BitVecSort

Key = tuple[object, ...]
Value = "Node | Cells"
SpanOf = Callable[[Node], Span]

MOST_READ = 512  # elements that a read at an unknown index of known range looks at one by one
MOST_WRITTEN = 64  # elements that a write at an unknown index changes one by one
LONGEST_READ = 400  # writes that a read of one element goes through
LAYER = 8  # entries that are worth looking up rather than going through
DEEPEST_READ = 24  # merged maps and lambdas inside each other that it goes into


class Cells:
    """A map's value."""

    __slots__ = ("_term", "base", "entries", "sort")

    def __init__(self, base: Node, entries: Mapping[Key, Node | Cells], sort: ArraySort) -> None:
        self.base = base
        self.entries = entries
        self.sort = sort
        self._term: Node | None = None

    def term(self, memory: Memory) -> Node:
        """The whole map as a term."""
        if self._term is None:
            self._term = memory.stored(self.base, self.entries.items(), self.sort)
        return self._term


# What a lambda gives for an index; the last number is how deep inside others it may go.
Applied = Callable[[Node, tuple[Node, ...], int], "Node | Cells"]


def _not_applied(lambda_: Node, _: tuple[Node, ...], __: int) -> Node:
    raise AssertionError(lambda_)


class Memory:
    """Reads, writes and merges maps. Elements of lambdas are what `applied` says."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.applied: Applied = _not_applied
        self._with_lambda: set[Node] = set()  # maps that are, or are made of, lambdas
        # Of merged maps, which share what they are made of, and of maps from which an element was read before.
        self._elements: dict[tuple[Node, ...], Node] = {}
        # Maps with many entries that were written one after the other, so that one need not go through all of them: the
        # entries, and the map without them.
        self._layers: dict[Node, tuple[dict[Key, Node | Cells], Node]] = {}

    def of(self, term: Node) -> Node | Cells:
        """A term as a value: a map as cells of which none is known."""
        return Cells(term, {}, term.sort) if isinstance(term.sort, ArraySort) else term

    def plain(self, value: Node | Cells) -> Node:
        """A value as a term."""
        return value.term(self) if isinstance(value, Cells) else value

    def stored(self, base: Node, entries: Iterable[tuple[Key, Node | Cells]], sort: ArraySort) -> Node:
        """The term of a map with entries."""
        term, known = base, dict(entries)
        for key, value in known.items():
            index = [self.algebra.literal(k, s) for k, s in zip(key, sort.domain, strict=True)]  # type: ignore[arg-type]
            term = self._made(Op.STORE, (term, *index, self.plain(value)), sort)
        if len(known) >= LAYER:
            self._layers[term] = known, base
        return term

    def lambda_(self, term: Node) -> Node | Cells:
        """A map that a lambda gives."""
        self._with_lambda.add(term)
        return self.of(term)

    def _made(self, op: Op, args: tuple[Node, ...], sort: ArraySort) -> Node:
        term = self.algebra.made(op, args, (), sort)
        if any(a in self._with_lambda for a in args):
            self._with_lambda.add(term)
        return term

    # --- reading ---------------------------------------------------------------------------------

    def read(self, cells: Cells, index: tuple[Node, ...], span_of: SpanOf) -> Node | Cells:
        """An element."""
        if all(i.op is Leaf.LITERAL for i in index):
            return self._at(cells, tuple([i.data for i in index]))
        keys = self._keys(index, span_of, MOST_READ)
        if keys is None:
            within = _within(cells.entries, index, span_of)
            is_all = len(within) == len(cells.entries)
            term = cells.term(self) if is_all else self.stored(cells.base, within.items(), cells.sort)
            return self.of(self._element(term, index))
        if index[0].leaves:
            return self._chosen(index[0], lambda leaf: self._at(cells, (leaf.data,)))
        return self._searched(index[0], keys, [self._at(cells, (key,)) for key in keys])

    def _at(self, cells: Cells, key: Key) -> Node | Cells:
        value = cells.entries.get(key)
        return self.of(self._below(cells.base, key, cells.sort)) if value is None else value

    def _below(self, base: Node, key: Key, sort: ArraySort) -> Node:
        """The element of a term at a literal index."""
        index = tuple([self.algebra.literal(k, s) for k, s in zip(key, sort.domain, strict=True)])  # type: ignore[arg-type]
        return self._element(base, index)

    def _element(self, term: Node, index: tuple[Node, ...], depth: int = DEEPEST_READ) -> Node:
        """The element of a term at an index: through writes, if it has to be given by them or is known then."""
        algebra = self.algebra
        given = term
        is_known = all(i.op is Leaf.LITERAL for i in index)
        around: list[tuple[Node, Node]] = []  # conditions under which the element is another
        value: Node | None = None
        for _ in range(LONGEST_READ):
            if term.op is Leaf.CONST_ARRAY:
                value = term.args[0]
                break
            if not depth or not (is_known or term in self._with_lambda):
                break
            value = self._elements.get((term, *index))
            if value is not None:
                break
            if is_known and (layer := self._layers.get(term)) is not None:
                entries, below = layer
                found = entries.get(tuple([i.data for i in index]))
                if found is not None:
                    value = self.plain(found)
                    break
                term = below
                continue
            if term.op is Op.STORE:
                inner, *at, written = term.args
                same = self._same(at, index)
                if same is algebra.true:
                    value = written
                    break
                if same is not algebra.false:
                    around.append((same, written))
                term = inner
                continue
            if term.op is Op.ITE:
                condition, a, b = term.args
                value = algebra.ite(condition, self._element(a, index, depth - 1), self._element(b, index, depth - 1))
                self._elements[(term, *index)] = value
            elif term.op is Leaf.OPAQUE and term in self._with_lambda:
                value = self.plain(self.applied(term, index, depth - 1))
            break
        if value is None:
            assert isinstance(term.sort, ArraySort)
            value = algebra.made(Op.SELECT, (term, *index), (), term.sort.range)
        for condition, other in reversed(around):
            value = algebra.ite(condition, other, value)
        if depth == DEEPEST_READ:
            self._elements[(given, *index)] = value
        return value

    def _same(self, a: Sequence[Node], b: Sequence[Node]) -> Node:
        same = self.algebra.true
        for x, y in zip(a, b, strict=True):
            if x is not y:
                both = x.op is Leaf.LITERAL and y.op is Leaf.LITERAL
                same = self.algebra.false if both else self.algebra.and_(same, self.algebra.eq(x, y))
        return same

    def _chosen(self, choice: Node, f: Callable[[Node], Node | Cells]) -> Node | Cells:
        """`f` of each literal of a choice, as a choice."""
        if choice.is_literal:
            return f(choice)
        condition, then, otherwise = choice.args
        return self.merged(condition, self._chosen(then, f), self._chosen(otherwise, f))

    def _searched(self, index: Node, keys: range, values: list[Node | Cells]) -> Node | Cells:
        """The value of the key that an index is, by halving: as deep as the logarithm of their number."""
        if len(values) == 1:
            return values[0]
        middle = len(values) // 2
        left = self._searched(index, keys[:middle], values[:middle])
        right = self._searched(index, keys[middle:], values[middle:])
        below = self.algebra.app(Op.BVULT, (index, self.algebra.number(keys[middle], index)))
        return self.merged(below, left, right)

    # --- writing ---------------------------------------------------------------------------------

    def written(self, cells: Cells, index: tuple[Node, ...], value: Node | Cells, span_of: SpanOf) -> Cells:
        """The map with another element."""
        if all(i.op is Leaf.LITERAL for i in index):
            return Cells(cells.base, {**cells.entries, tuple([i.data for i in index]): value}, cells.sort)
        keys = self._keys(index, span_of, MOST_WRITTEN)
        if keys is None:
            return self._written_anywhere(cells, index, value, span_of)
        entries = dict(cells.entries)
        for key in literals(index[0]) if index[0].leaves else keys:
            same = self.algebra.eq(index[0], self.algebra.number(key, index[0]))
            entries[key,] = self.merged(same, value, self._at(cells, (key,)))
        return Cells(cells.base, entries, cells.sort)

    def _written_anywhere(self, cells: Cells, index: tuple[Node, ...], value: Node | Cells, span_of: SpanOf) -> Cells:
        within = _within(cells.entries, index, span_of)
        below = self.stored(cells.base, within.items(), cells.sort)
        base = self._made(Op.STORE, (below, *index, self.plain(value)), cells.sort)
        return Cells(base, {k: v for k, v in cells.entries.items() if k not in within}, cells.sort)

    def _keys(self, index: tuple[Node, ...], span_of: SpanOf, most: int) -> range | None:
        """The values that an index may have, if it is one bit-vector and they are few."""
        if len(index) != 1 or not isinstance(index[0].sort, BitVecSort):
            return None
        [node] = index
        if node.leaves:
            return range(0)  # its literals are known
        low, high = span_of(node)
        step = 1 << node.zeros
        first = -(-low // step) * step
        count = (high - first) // step + 1
        return range(first, high + 1, step) if 0 < count <= most else None

    # --- merging ---------------------------------------------------------------------------------

    def merged(self, condition: Node, a: Node | Cells, b: Node | Cells) -> Node | Cells:
        """`a` if the condition holds, and else `b`."""
        if a is b or condition is self.algebra.true:
            return a
        if condition is self.algebra.false:
            return b
        if isinstance(a, Cells) and isinstance(b, Cells):
            return self._merged_cells(condition, a, b)
        return self.algebra.ite(condition, self.plain(a), self.plain(b))

    def _merged_cells(self, condition: Node, a: Cells, b: Cells) -> Cells:
        entries: dict[Key, Node | Cells] = {}
        for key, value in a.entries.items():
            other = b.entries.get(key)
            if other is not value:
                other = self._at(b, key) if other is None else other
                value = self.merged(condition, value, other)
            entries[key] = value
        for key, value in b.entries.items():
            if key not in entries:
                entries[key] = self.merged(condition, self._at(a, key), value)
        base = a.base
        if b.base is not base:
            base = self._made(Op.ITE, (condition, a.base, b.base), a.sort)
        return Cells(base, entries, a.sort)


def literals(choice: Node) -> list[int]:
    """The literals of a choice, each once. There are few."""
    found: dict[int, None] = {}
    stack = [choice]
    while stack:
        node = stack.pop()
        if node.is_literal:
            found[node.value] = None
        else:
            stack += [node.args[2], node.args[1]]
    return list(found)


def _within(
    entries: Mapping[Key, Node | Cells], index: tuple[Node, ...], span_of: SpanOf
) -> Mapping[Key, Node | Cells]:
    """The entries that an index may be that of."""
    for n, node in enumerate(index):
        if node.is_literal:
            entries = {k: v for k, v in entries.items() if k[n] == node.data}
        elif isinstance(node.sort, BitVecSort):
            low, high = span_of(node)
            cleared = (1 << node.zeros) - 1
            if cleared or low or high < (1 << node.width) - 1:
                entries = {k: v for k, v in entries.items() if low <= k[n] <= high and not k[n] & cleared}  # type: ignore[operator]
    return entries
