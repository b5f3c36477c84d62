"""Which constants some variables of a body have together where its loops start: those of a state machine, mostly.

Blocks are executed on what is known of a few variables, each a constant or anything; conditions that compare them with
constants decide or teach. The result is closed under iterations, so that it is an invariant.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from paddock.frozen import frozen
from paddock.ir.build import FALSE, TRUE, and_, eq, ne, or_
from paddock.ir.expr import App, Expr, Lit, Op, Var
from paddock.ir.modref import assigned
from paddock.ir.rewriting import expressions_in
from paddock.ir.stmt import Assert, Assign, Assume, Block, Statement
from paddock.ir.walk import variables

_MOST_STATES = 150_000  # pairs of a block and values
_MOST_TUPLES = 1_500  # that are worth being written down


@frozen
class Other:
    """Any value but one."""

    than: Expr


Value = Expr | Other | None  # a literal, all but one, or anything
Known = tuple[Value, ...]  # one for each variable


def tuples_at(
    blocks: Mapping[str, Block],
    entry: str,
    heads: Collection[str],
    tracked: Sequence[Var],
    changed: Callable[[Statement], Collection[Var]],
) -> dict[str, Expr]:
    """A condition for each of some blocks that has the values of the tracked variables there. If there are too many,
    there are fewer variables. `changed` are the variables that a statement may change otherwise than by assigning."""
    for count in range(len(tracked), 0, -1):
        reached = _reached(blocks, entry, tracked[:count], changed)
        if reached is not None and all(len(reached.get(head, ())) <= _MOST_TUPLES for head in heads):
            found = {head: _condition(tracked, reached.get(head, {})) for head in heads}
            return {head: condition for head, condition in found.items() if condition is not TRUE}
    return {}


def _condition(tracked: Sequence[Var], tuples: Collection[Known]) -> Expr:
    parts: list[Expr] = []
    for values in tuples:
        known = [_says(var, value) for var, value in zip(tracked, values, strict=False) if value is not None]
        if not known:
            return TRUE
        parts.append(and_(*known))
    return or_(*parts) if parts else FALSE


def _says(var: Var, value: Expr | Other) -> Expr:
    return ne(var, value.than) if isinstance(value, Other) else eq(var, value)


def _reached(
    blocks: Mapping[str, Block],
    entry: str,
    tracked: Sequence[Var],
    changed: Callable[[Statement], Collection[Var]],
) -> dict[str, dict[Known, None]] | None:
    """The values with which each block is reached; None if they are too many."""
    live = _live(blocks, tracked)
    waiting: list[tuple[str, Known]] = [(entry, (None,) * len(tracked))]
    reached: dict[str, dict[Known, None]] = {entry: {waiting[0][1]: None}}
    states = 1
    while waiting:
        label, values = waiting.pop()
        after = _after(blocks[label], dict(zip(tracked, values, strict=True)), changed)
        if after is None:
            continue
        for target in blocks[label].successors:
            known = tuple(after[var] if var in live[target] else None for var in tracked)
            if known not in reached.setdefault(target, {}):
                reached[target][known] = None
                waiting.append((target, known))
                states += 1
                if states > _MOST_STATES:
                    return None
    return reached


def _live(blocks: Mapping[str, Block], tracked: Sequence[Var]) -> dict[str, set[Var]]:
    """The variables whose values matter where a block starts."""
    needed: dict[str, set[Var]] = {}
    killed: dict[str, set[Var]] = {}
    before: dict[str, list[str]] = {}
    for label, block in blocks.items():
        needed[label], killed[label] = set(), set()
        for statement in block.statements:
            read = statement.values if isinstance(statement, Assign) else expressions_in(statement)
            needed[label] |= variables(*read).intersection(tracked) - killed[label]
            killed[label] |= set(assigned(statement)) if isinstance(statement, Assign) else set()
        for target in block.successors:
            before.setdefault(target, []).append(label)
    waiting = list(blocks)
    while waiting:
        label = waiting.pop()
        for source in before.get(label, ()):
            new = needed[label] - killed[source] - needed[source]
            if new:
                needed[source] |= new
                waiting.append(source)
    return needed


def _after(
    block: Block, known: dict[Var, Value], changed: Callable[[Statement], Collection[Var]]
) -> dict[Var, Value] | None:
    """What is known behind a block; None if nothing comes there."""
    for statement in block.statements:
        match statement:
            case Assume(condition) | Assert(condition):
                for part in _conjuncts(condition):
                    if not _assume(part, known):
                        return None
            case Assign(targets, values):
                new = [_value(value, known) for value in values]
                known.update((t, v) for t, v in zip(targets, new, strict=True) if t in known)
            case _:
                known.update((v, None) for v in (*assigned(statement), *changed(statement)) if v in known)
    return known


def _value(expr: Expr, known: Mapping[Var, Value]) -> Value:
    if isinstance(expr, Lit):
        return expr
    return known.get(expr) if isinstance(expr, Var) else None


def _assume(condition: Expr, known: dict[Var, Value]) -> bool:
    """Note what a condition says; False if it does not hold."""
    positive = True
    while isinstance(condition, App) and condition.op is Op.NOT:
        condition, positive = condition.args[0], not positive
    if isinstance(condition, Lit):
        return bool(condition.value) is positive
    if not isinstance(condition, App) or condition.op not in (Op.EQ, Op.NE):
        return True
    is_equal = (condition.op is Op.EQ) is positive
    a, b = condition.args
    one, other = _value(a, known), _value(b, known)
    if isinstance(one, Expr) and isinstance(other, Expr):
        return (one is other) is is_equal
    for term, before, value in ((a, one, other), (b, other, one)):
        if isinstance(value, Expr) and isinstance(term, Var) and term in known:
            if isinstance(before, Other) and before.than is value:
                return not is_equal
            if is_equal or before is None:
                known[term] = value if is_equal else Other(value)
    return True


def _conjuncts(condition: Expr) -> Iterator[Expr]:
    stack = [condition]
    while stack:
        node = stack.pop()
        if isinstance(node, App) and node.op is Op.AND:
            stack += reversed(node.args)
        else:
            yield node
