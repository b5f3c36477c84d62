"""Terms of symbolic execution mean what they were made for, whatever they were simplified to."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from paddock.engines.symbolic.cells import Cells, Memory
from paddock.engines.symbolic.nodes import Algebra, Leaf, Node
from paddock.engines.symbolic.rules import RULES
from paddock.engines.symbolic.state import State, States
from paddock.ir.program import Program
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, ArraySort, BitVecSort
from paddock.trace.world import World

BINARY = (
    *(Op.BVADD, Op.BVSUB, Op.BVMUL, Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVSHL, Op.BVLSHR, Op.BVASHR),
    *(Op.BVUDIV, Op.BVUREM, Op.BVSDIV, Op.BVSREM),
)
RELATIONS = (*(Op.BVULT, Op.BVULE, Op.BVUGT, Op.BVUGE, Op.BVSLT, Op.BVSLE, Op.BVSGT, Op.BVSGE, Op.EQ, Op.DISTINCT),)
WIDTHS = (3, 4, 8)
TRIES = 12


def new_algebra() -> Algebra:
    return Algebra(World(Program()), RULES)


class Terms:
    """Makes random terms, each simplified and as it is."""

    def __init__(self, algebra: Algebra, chance: Random) -> None:
        self.algebra = algebra
        self.chance = chance
        self.inputs = {width: [algebra.input("x", BitVecSort(width)) for _ in range(2)] for width in WIDTHS}

    def app(self, op: Op, parts: list[tuple[Node, Node]], indices: tuple[int, ...] = ()) -> tuple[Node, Node]:
        simplified = self.algebra.app(op, tuple(a for a, _ in parts), indices)
        raw = tuple(b for _, b in parts)
        return simplified, self.algebra.made(op, raw, indices, simplified.sort)

    def vector(self, width: int, depth: int) -> tuple[Node, Node]:
        chance = self.chance
        kind = chance.choice(["input", "literal"] if depth == 0 else ["binary", "binary", "ite", "width", "literal"])
        match kind:
            case "input":
                node = chance.choice(self.inputs[width])
                return node, node
            case "literal":
                value = chance.choice([0, 1, 2, (1 << width) - 1, 1 << (width - 1), chance.randrange(1 << width)])
                node = self.algebra.literal(value, BitVecSort(width))
                return node, node
            case "binary":
                return self.app(chance.choice(BINARY), [self.vector(width, depth - 1) for _ in range(2)])
            case "ite":
                parts = [self.condition(depth - 1), self.vector(width, depth - 1), self.vector(width, depth - 1)]
                return self.app(Op.ITE, parts)
            case _:
                return self.of_other_width(width, depth - 1)

    def of_other_width(self, width: int, depth: int) -> tuple[Node, Node]:
        other = self.chance.choice(WIDTHS)
        part = self.vector(other, depth)
        if other < width:
            return self.app(self.chance.choice([Op.ZERO_EXTEND, Op.SIGN_EXTEND]), [part], (width - other,))
        if other > width:
            first = self.chance.randrange(other - width + 1)
            return self.app(Op.EXTRACT, [part], (first + width - 1, first))
        low = self.chance.randrange(1, width)
        upper = self.app(Op.EXTRACT, [part], (width - 1, low))
        lower = self.app(Op.EXTRACT, [self.chance.choice([part, self.vector(width, depth)])], (low - 1, 0))
        return self.app(Op.CONCAT, [upper, lower])

    def condition(self, depth: int) -> tuple[Node, Node]:
        if depth <= 0 or self.chance.random() < 0.5:
            width = self.chance.choice(WIDTHS)
            return self.app(self.chance.choice(RELATIONS), [self.vector(width, max(depth - 1, 0)) for _ in range(2)])
        op = self.chance.choice([Op.AND, Op.OR, Op.NOT, Op.IMPLIES, Op.XOR])
        return self.app(op, [self.condition(depth - 1) for _ in range(1 if op is Op.NOT else 2)])


def evaluated(algebra: Algebra, root: Node, values: dict[Node, Node]) -> Node:
    """The literal that a term comes to, worked out from the leaves."""
    done = dict(values)
    stack = [root]
    while stack:
        node = stack[-1]
        missing = [a for a in node.args if a not in done]
        if node in done or missing:
            stack += missing
            if node in done:
                stack.pop()
            continue
        stack.pop()
        done[node] = node if node.is_literal else _applied(algebra, node, [done[a] for a in node.args])
    return done[root]


def _applied(algebra: Algebra, node: Node, args: list[Node]) -> Node:
    if node.op is Op.ITE:
        return args[1] if args[0].data else args[2]
    assert isinstance(node.op, Op)
    return algebra.app(node.op, tuple(args), node.data)  # type: ignore[arg-type]


def some_values(terms: Terms, chance: Random) -> dict[Node, Node]:
    return {
        node: terms.algebra.literal(chance.randrange(1 << width), BitVecSort(width))
        for width, nodes in terms.inputs.items()
        for node in nodes
    }


@given(seed=st.integers(0, 10**9))
def test_simplified_terms_mean_the_same(seed: int) -> None:
    chance = Random(seed)
    algebra = new_algebra()
    terms = Terms(algebra, chance)
    simplified, raw = terms.vector(chance.choice(WIDTHS), 4) if chance.random() < 0.7 else terms.condition(4)
    for _ in range(TRIES):
        values = some_values(terms, chance)
        result = evaluated(algebra, raw, values)
        assert evaluated(algebra, simplified, values) is result
        if simplified.sort is not BOOL:
            low, high = simplified.span
            assert low <= result.value <= high
            assert result.value % (1 << simplified.zeros) == 0


@given(seed=st.integers(0, 10**9))
def test_what_is_known_of_ranges_holds_where_conditions_do(seed: int) -> None:
    chance = Random(seed)
    algebra = new_algebra()
    terms, states = Terms(algebra, chance), States(algebra, Memory(algebra))
    conditions = [terms.condition(1) for _ in range(3)]
    node, raw = terms.vector(chance.choice(WIDTHS), 3)
    state = State({}, {}, states.start)
    possible = all([states.assume(state, c) for c, _ in conditions])  # noqa: C419  (each is to be assumed)
    span = states.span(node, state.ranges)
    for _ in range(4 * TRIES):
        values = some_values(terms, chance)
        if all(evaluated(algebra, c, values).data for _, c in conditions):
            assert possible
            assert span[0] <= evaluated(algebra, raw, values).value <= span[1]


@given(seed=st.integers(0, 10**9))
def test_maps_hold_what_was_written_last(seed: int) -> None:
    chance = Random(seed)
    algebra = new_algebra()
    terms, memory = Terms(algebra, chance), Memory(algebra)
    sort = ArraySort((BitVecSort(4),), BitVecSort(8))
    zero = algebra.literal(0, BitVecSort(8))
    cells = Cells(algebra.made(Leaf.CONST_ARRAY, (zero,), (), sort), {}, sort)
    versions = [cells]
    writes: list[object] = []  # of each version: what to do with the values of another, or of two

    def span_of(node: Node) -> tuple[int, int]:
        return node.span

    for _ in range(chance.randrange(1, 8)):
        if chance.random() < 0.3:
            condition = terms.condition(1)
            a, b = (chance.randrange(len(versions)) for _ in range(2))
            merged = memory.merged(condition[0], versions[a], versions[b])
            assert isinstance(merged, Cells)
            versions.append(merged)
            writes.append((condition[1], a, b))
        else:
            n = chance.randrange(len(versions))
            index, value = terms.vector(4, 2), terms.vector(8, 2)
            versions.append(memory.written(versions[n], (index[0],), value[0], span_of))
            writes.append((n, index[1], value[1]))
    at = terms.vector(4, 2)
    read = memory.read(versions[-1], (at[0],), span_of)
    assert isinstance(read, Node)
    for _ in range(TRIES):
        values = some_values(terms, chance)
        contents: list[dict[int, int]] = [{}]
        for write in writes:
            match write:
                case (Node() as condition, int(a), int(b)):
                    contents.append(contents[a] if evaluated(algebra, condition, values).data else contents[b])
                case (int(n), Node() as index, Node() as value):
                    new = evaluated(algebra, value, values).value
                    contents.append({**contents[n], evaluated(algebra, index, values).value: new})
        expected = contents[-1].get(evaluated(algebra, at[1], values).value, 0)
        assert element(algebra, read, values) == expected


def element(algebra: Algebra, read: Node, values: dict[Node, Node]) -> int:
    """The value of a term in which maps are read and written."""
    done: dict[Node, object] = dict(values)
    stack = [read]
    while stack:
        node = stack[-1]
        missing = [a for a in node.args if a not in done]
        if missing:
            stack += missing
            continue
        stack.pop()
        args = [done[a] for a in node.args]
        match node.op, args:
            case Leaf.CONST_ARRAY, [_]:
                done[node] = {}
            case Op.STORE, [dict() as map_, Node() as index, value]:
                done[node] = {**map_, index.value: value}
            case Op.SELECT, [dict() as map_, Node() as index]:
                done[node] = map_.get(index.value, algebra.literal(0, BitVecSort(8)))
            case Op.ITE, [Node() as condition, then, otherwise]:
                done[node] = then if condition.data else otherwise
            case _ if node not in done:
                done[node] = node if node.is_literal else _applied(algebra, node, args)  # type: ignore[arg-type]
    result = done[read]
    assert isinstance(result, Node)
    return result.value


def test_choices_that_share_parts_are_joined_once() -> None:
    """Without that, the work would double with each choice."""
    algebra = new_algebra()
    byte = BitVecSort(8)
    high, low = (algebra.input(name, byte) for name in ("high", "low"))
    other_high, other_low = (algebra.input(name, byte) for name in ("other_high", "other_low"))
    for n in range(0, 60, 2):
        first, second = (algebra.input(f"c{n + k}", BOOL) for k in range(2))
        # Each is the one below on both sides of a choice, so that a tree of it has 2^30 leaves.
        high = algebra.ite(first, high, algebra.ite(second, other_high, high))
        low = algebra.ite(first, low, algebra.ite(second, other_low, low))
    joined = algebra.app(Op.CONCAT, (high, low))
    assert joined.sort == BitVecSort(16)
    assert algebra.size < 1000
