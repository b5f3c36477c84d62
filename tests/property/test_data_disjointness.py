"""Blocks that data is said to make disjoint are never on one execution, as trying all executions shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from paddock.engines.inlining.data_disjointness import DataDisjointness
from paddock.engines.inlining.graph import related_blocks
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.cfg import Cfg
from tests.property.examples import examples

VARIABLES = ("x", "y", "g")
VALUES = (-1, 0, 1, 2)  # those that a variable has at first, and when it becomes arbitrary
OPERATORS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
}

State = tuple[int, ...]  # the values of the variables


@dataclass(frozen=True, slots=True)
class Statement:
    """`kind` is assume, assign, add, havoc or call; `other` is a variable's name or a number."""

    kind: str
    target: str = "g"
    operator: str = "=="
    other: str | int = 0

    def __str__(self) -> str:
        match self.kind:
            case "assume":
                return f"assume {self.target} {self.operator} {self.other};"
            case "assign":
                return f"{self.target} := {self.other};"
            case "add":
                return f"{self.target} := {self.target} + {self.other};"
            case "havoc":
                return f"havoc {self.target};"
            case _:
                return "call q();"

    def after(self, state: State) -> Iterator[State]:
        """The states in which an execution may go on."""
        at = VARIABLES.index(self.target)
        other = self.other if isinstance(self.other, int) else state[VARIABLES.index(self.other)]

        def changed(value: int) -> State:
            return (*state[:at], value, *state[at + 1 :])

        match self.kind:
            case "assume":
                if OPERATORS[self.operator](state[at], other):
                    yield state
            case "assign":
                yield changed(other)
            case "add":
                yield changed(state[at] + other)
            case _:  # what is called makes g arbitrary
                yield from map(changed, VALUES)


@dataclass(frozen=True, slots=True)
class Body:
    blocks: tuple[tuple[Statement, ...], ...]
    successors: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        lines = []
        for n, (block, successors) in enumerate(zip(self.blocks, self.successors, strict=True)):
            jump = f"goto {', '.join(f'b{s}' for s in successors)};" if successors else "return;"
            lines.append(f"  b{n}: {' '.join(map(str, block))} {jump}")
        declarations = "var g: int;\nprocedure q() modifies g; { havoc g; }\nprocedure main() modifies g;\n"
        return declarations + "{\n  var x, y: int;\n" + "\n".join(lines) + "\n}"

    def visited_together(self) -> set[tuple[int, int]]:
        """The pairs of blocks that some execution gets through, the earlier one first."""
        starts = {(a, b, c) for a in VALUES for b in VALUES for c in VALUES}
        waiting = {(0, state, 0) for state in starts}
        seen = set(waiting)
        pairs = set()
        while waiting:
            block, state, visited = waiting.pop()
            states = {state}
            for statement in self.blocks[block]:
                states = {after for before in states for after in statement.after(before)}
            if states:
                pairs |= {(a, block) for a in range(block) if visited >> a & 1}
            for successor in self.successors[block]:
                new = {(successor, after, visited | 1 << block) for after in states} - seen
                seen |= new
                waiting |= new
        return pairs


CONDITIONS = st.builds(
    Statement,
    st.just("assume"),
    st.sampled_from(VARIABLES),
    st.sampled_from(list(OPERATORS)),
    st.one_of(st.integers(0, 1), st.sampled_from(VARIABLES)),
)
CHANGES = st.builds(
    Statement,
    st.sampled_from(["assign", "add", "havoc"]),
    st.sampled_from(VARIABLES),
    other=st.one_of(st.integers(0, 1), st.sampled_from(VARIABLES)),
)
CALL = Statement("call")


@st.composite
def bodies(draw: st.DrawFn) -> Body:
    """Jumps lead forward; every block but the first makes a call somewhere among conditions and, seldom, changes."""
    count = draw(st.integers(3, 7))
    successors: list[list[int]] = [[] for _ in range(count)]
    for block in range(1, count):
        for source in draw(st.sets(st.integers(max(0, block - 3), block - 1), min_size=1, max_size=2)):
            successors[source].append(block)
    blocks = []
    for block in range(count):
        statements = draw(st.lists(CONDITIONS, max_size=2)) + draw(st.lists(CHANGES, max_size=1))
        if block:
            statements.insert(draw(st.integers(0, len(statements))), CALL)
        blocks.append(tuple(statements))
    return Body(tuple(blocks), tuple(map(tuple, successors)))


def disjoint_by_data(body: Body) -> set[tuple[int, int]]:
    """The pairs of blocks with calls that only data makes disjoint, the earlier one first."""
    program = load([Source(str(body))])
    implementation = program.procedure_named["main"].body
    assert implementation is not None
    cfg = Cfg(implementation)
    order = [int(label[1:]) for label in cfg.reverse_postorder]
    related = related_blocks([[cfg.position[s] for s in cfg.successors[label]] for label in cfg.reverse_postorder])
    calling = [n for n, block in enumerate(order) if CALL in body.blocks[block]]
    narrowed = DataDisjointness(program).narrowed(cfg, related, calling)
    pairs = [(a, b) for a in calling for b in calling if a < b and related[a] >> b & 1]
    for a, b in pairs:
        assert narrowed[a] >> b & 1 == narrowed[b] >> a & 1
    assert all(narrowed[a] >> a & 1 for a in calling)
    return {tuple(sorted((order[a], order[b]))) for a, b in pairs if not narrowed[a] >> b & 1}  # type: ignore[misc]


@examples(100, 1000)
@given(bodies())
def test_disjoint_blocks_are_on_no_execution_together(body: Body) -> None:
    assert not disjoint_by_data(body) & body.visited_together()


def assume(target: str, operator: str, other: str | int) -> Statement:
    return Statement("assume", target, operator, other)


def two_branches(first: Statement, between: tuple[Statement, ...], second: Statement) -> Body:
    """Two conditional calls in a row: blocks 1 and 4 make them, 2 and 5 do not."""
    blocks = ((), (first, CALL), (), between, (second, CALL), ())
    return Body(blocks, ((1, 2), (3,), (3,), (4, 5), (), ()))


def test_calls_under_contradicting_conditions_are_disjoint() -> None:
    assert disjoint_by_data(two_branches(assume("x", "==", 1), (), assume("x", "==", 2))) == {(1, 4)}
    assert disjoint_by_data(two_branches(assume("x", "<", 0), (), assume("x", ">=", 1))) == {(1, 4)}


def test_calls_under_conditions_that_agree_are_not_disjoint() -> None:
    assert disjoint_by_data(two_branches(assume("x", "==", 1), (), assume("x", ">=", 1))) == set()


def test_what_changes_in_between_is_forgotten() -> None:
    for change in (Statement("havoc", "x"), Statement("assign", "x", other="y"), Statement("add", "x", other=1)):
        assert disjoint_by_data(two_branches(assume("x", "==", 1), (change,), assume("x", "==", 2))) == set()


def test_a_call_forgets_the_globals_that_it_may_modify() -> None:
    assert disjoint_by_data(two_branches(assume("g", "==", 1), (), assume("g", "==", 2))) == set()


def test_what_was_assigned_on_the_way_counts() -> None:
    body = Body(
        (
            (),
            (Statement("assign", "x", other=1), CALL),
            (Statement("assign", "x", other=0),),
            (),
            (assume("x", "==", 0), CALL),
            (),
        ),
        ((1, 2), (3,), (3,), (4, 5), (), ()),
    )
    assert disjoint_by_data(body) == {(1, 4)}
    assert body.visited_together() >= {(1, 5), (2, 4)}
    assert (1, 4) not in body.visited_together()
