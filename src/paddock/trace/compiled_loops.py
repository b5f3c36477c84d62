"""Loops that run very often, compiled to Python: a million iterations take a fraction of a second.

A loop is compiled if no other is inside of it and it computes with numbers and elements of maps. What it calls is
written out if that is short. The text follows each way through the loop until it comes back to the head; wherever
something else is to happen (an exit, a failure, a value that is left open, a choice) it stops, and tells how many
iterations were complete. So a state at the head is all that comes out, and the interpreter goes on from there: whatever
matters, it sees itself.

    while x < 1000000 { x := x + 1; }      while n < most:
                                               if v0 < 1000000:
                                                   v0 = v0 + 1
                                                   n += 1
                                                   continue
                                               return n, None
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import takewhile

from paddock.frozen import frozen
from paddock.ir.expr import App, Expr, Op, Scope, Var
from paddock.ir.graph import strongly_connected_components
from paddock.ir.program import Implementation, Program
from paddock.ir.rewriting import declared_in
from paddock.ir.stmt import Assume, Block, Call, Goto, Havoc
from paddock.ir.types import Map
from paddock.trace.compiled_statements import Text, is_own, renaming
from paddock.trace.compiled_terms import NotCompiled, default_name
from paddock.trace.values import LambdaValue, MapValue, Undecided, Value, map_of
from paddock.trace.world import World

_LONGEST = 100  # blocks one after the other
_CHUNK = 1 << 20  # iterations after which a state is kept

_Code = Callable[..., tuple[int, tuple[object, ...] | None]]


@frozen
class CompiledLoop:
    """A loop as a function, the variables that it takes and gives, and how many lines an iteration may take. Some of
    the variables are `unknown` at its head; of maps, the `open_maps` are given by lambdas."""

    code: _Code
    taken: tuple[Var, ...]
    unknown: frozenset[Var]
    changed: tuple[Var, ...]
    havocked: frozenset[Var]
    open_maps: frozenset[Var]
    lines: int

    def run(self, values: Mapping[Var, Value], most: int, world: World) -> tuple[int, dict[Var, Value | None]]:
        """How many iterations are complete before something else happens, at most so many, and what variables are then
        that have changed: None if arbitrary."""
        done = 0
        known = dict(values)
        while done < most:
            wanted = min(_CHUNK, most - done)
            count, after = self.code(world, wanted, *self._arguments(known))
            if after is None:
                count, after = self.code(world, count, *self._arguments(known))
                wanted = 0
            assert after is not None
            self._note(known, after)
            done += count
            if not wanted:
                break
        return done, {var: known.get(var) for var in self.changed if var in known or var in self.havocked}

    def _note(self, known: dict[Var, Value], after: Sequence[object]) -> None:
        """Keep the values that some iterations have left: without one, what they have not assigned is as it was, unless
        it has become arbitrary."""
        for var, value in zip(self.changed, after, strict=True):
            if isinstance(value, dict):
                known[var] = _as_map(known[var], value)
            elif value is not None:
                known[var] = value  # type: ignore[assignment]
            elif var in self.havocked:
                known.pop(var, None)

    def _arguments(self, values: Mapping[Var, Value]) -> list[object]:
        arguments: list[object] = []
        for var in self.taken:
            value = values.get(var)
            if isinstance(var.type, Map):
                assert isinstance(value, MapValue | LambdaValue)
                arguments += (dict(value.entries), value.default if isinstance(value, MapValue) else None)
            else:
                arguments.append(value)
        return arguments


def _as_map(before: Value, entries: dict[tuple[Value, ...], Value]) -> Value:
    if isinstance(before, LambdaValue):
        return LambdaValue(before.binder, before.env, entries)
    assert isinstance(before, MapValue)
    return map_of(before.default, entries, before.size)


def innermost_loops(implementation: Implementation) -> dict[str, frozenset[str]]:
    """The loops without others inside of them: the blocks of each by its head, which all its jumps back go to."""
    graph = {b.label: list(b.successors) for b in implementation.blocks}
    found: dict[str, frozenset[str]] = {}
    waiting = [graph]
    while waiting:
        edges = waiting.pop()
        for component in strongly_connected_components(edges):
            inside = frozenset(component)
            if len(component) == 1 and component[0] not in edges[component[0]]:
                continue
            # A head is where the loop is entered from outside.
            heads = [b for b in component if any(b in graph[o] for o in graph if o not in inside)]
            if len(heads) != 1:
                continue
            (head,) = heads
            inner = {b: [s for s in edges[b] if s in inside and s != head] for b in component}
            if all(len(c) == 1 and c[0] not in inner[c[0]] for c in strongly_connected_components(inner)):
                found[head] = inside
            else:
                waiting.append(inner)
    return found


def compiled(
    program: Program,
    implementation: Implementation,
    head: str,
    inside: frozenset[str],
    known: Callable[[Var], Value | None],
) -> CompiledLoop | None:
    """A loop, compiled for what is `known` of variables when it is entered."""
    try:
        return _Writer(program, implementation, head, inside, known).loop()
    except NotCompiled:
        return None


@frozen
class _At:
    """Where the text is: the blocks around, what becomes of returns, and how deep it is indented."""

    blocks: Mapping[str, Block]
    call: Call | None  # that is written out
    renamed: Mapping[Var, Var]
    after: tuple[_At, Block, int] | None  # where it goes on behind the call


class _Writer:
    """Writes one loop."""

    def __init__(
        self,
        program: Program,
        implementation: Implementation,
        head: str,
        inside: frozenset[str],
        known: Callable[[Var], Value | None],
    ) -> None:
        self._program = program
        self._known = known
        self._head = head
        self._inside = inside
        self._blocks = {b.label: b for b in implementation.blocks}
        restricted = (*program.globals, *implementation.locals)
        self._start = partial(Text, program, known, {d.var for d in restricted if d.where is not None})
        self._text = self._start()
        self._copies = 0
        self._nested = 0
        statements = [s for label in sorted(inside) for s in self._blocks[label].statements]
        self._havocked = frozenset(v for s in statements if isinstance(s, Havoc) for v in s.targets)
        self._unknown_at_head: frozenset[Var] = self._havocked

    def loop(self) -> CompiledLoop:
        while True:
            self._block(_At(self._blocks, None, {}, None), self._blocks[self._head], 0, self._unknown_at_head, 3)
            # What is read must be known where the loop is entered.
            missing = {v for v in self._text.own() if self._known(v) is None} - self._unknown_at_head
            if not missing:
                break
            self._unknown_at_head |= missing
            self._text = self._start()
        text = self._text
        own = tuple(v for v in text.own() if v not in self._unknown_at_head)
        changed = tuple(filter(is_own, text.changed))
        return CompiledLoop(
            code=_function(text, own, changed),
            taken=own,
            unknown=self._unknown_at_head,
            changed=changed,
            havocked=self._havocked,
            open_maps=frozenset(filter(text.terms.is_open, own)),
            lines=len(text.lines),
        )

    def _block(self, at: _At, block: Block, first: int, unknown: frozenset[Var], depth: int) -> None:
        """Write what happens from a statement of a block on, until the head is reached again."""
        if self._nested > _LONGEST:
            raise NotCompiled
        self._nested += 1
        self._rest(at, block, first, unknown, depth)
        self._nested -= 1

    def _rest(self, at: _At, block: Block, first: int, unknown: frozenset[Var], depth: int) -> None:
        for k, statement in enumerate(block.statements[first:], first):
            if isinstance(statement, Call):
                self._call(at, block, k, statement, unknown, depth)
                return
            try:
                unknown = self._text.statement(at.renamed, statement, unknown, depth)
            except NotCompiled:
                self._text.stop(depth)
                return
        if isinstance(block.transfer, Goto):
            self._jump(at, block.transfer.targets, unknown, depth)
        elif at.after is None or at.call is None:
            self._text.stop(depth)
        else:
            self._return(at, at.call, at.after, unknown, depth)

    # --- control ----------------------------------------------------------------------------------

    def _jump(self, at: _At, targets: Sequence[str], unknown: frozenset[Var], depth: int) -> None:
        """Go on in the target whose first assumptions hold; if that is not the only one, stop."""
        if len(targets) == 1:
            self._go(at, targets[0], unknown, depth)
            return
        try:
            conditions = [self._condition(at, at.blocks[t], unknown) for t in targets]
        except NotCompiled:
            self._text.stop(depth)
            return
        excluding = _are_opposite(at.blocks, targets)
        for n, (target, condition) in enumerate(zip(targets, conditions, strict=True)):
            others = "" if excluding else "".join(f" and not {c}" for m, c in enumerate(conditions) if m != n)
            self._text.emit(depth, f"{'elif' if n else 'if'} {condition}{others}:")
            self._go(at, target, unknown, depth + 1, assumed=True)
        self._text.stop(depth)

    def _condition(self, at: _At, block: Block, unknown: frozenset[Var]) -> str:
        texts = [self._text.term(at.renamed, s.condition, unknown) for s in _assumed_first(block)]
        return f"({' and '.join(texts)})" if texts else "True"

    def _go(self, at: _At, label: str, unknown: frozenset[Var], depth: int, assumed: bool = False) -> None:
        """Go on in a block; if there were others, what it assumes first is known to hold."""
        if at.call is None and label == self._head:
            if any(map(is_own, unknown - self._unknown_at_head)):
                raise NotCompiled
            self._text.emit(depth, "n += 1")
            self._text.emit(depth, "continue")
        elif at.call is None and label not in self._inside:
            self._text.stop(depth)
        else:
            block = at.blocks[label]
            self._block(at, block, len(_assumed_first(block)) if assumed else 0, unknown, depth)

    def _call(self, at: _At, block: Block, k: int, call: Call, unknown: frozenset[Var], depth: int) -> None:
        """Write out what a call does."""
        callee = self._program.procedure_named[call.procedure]
        body = callee.body
        is_plain = not (callee.requires or callee.ensures or call.asynchronous) and at.call is None
        if body is None or not is_plain or _has_loop(body) or any(d.where is not None for d in declared_in(callee)):
            self._text.stop(depth)
            return
        self._copies += 1
        own = [d.var for d in (*callee.params, *callee.results, *body.locals)]
        renamed = {v: Var(f"{v.name}\0{self._copies}", v.type, Scope.LOCAL) for v in own}
        args = [renaming(at.renamed, a) for a in call.args]
        try:
            after = self._text.assign([renamed[p.var] for p in callee.params], args, unknown, depth)
        except NotCompiled:
            self._text.stop(depth)
            return
        after |= {renamed[d.var] for d in (*callee.results, *body.locals)}
        inner = _At({b.label: b for b in body.blocks}, call, renamed, (at, block, k))
        self._block(inner, body.blocks[0], 0, after, depth)

    def _return(self, at: _At, call: Call, after: tuple[_At, Block, int], unknown: frozenset[Var], depth: int) -> None:
        """Go on behind a call."""
        outer, block, k = after
        results = self._program.procedure_named[call.procedure].results
        values = [at.renamed[r.var] for r in results]
        known = [(t, v) for t, v in zip(call.results, values, strict=True) if v not in unknown]
        left_open = {t for t, v in zip(call.results, values, strict=True) if v in unknown}
        try:
            unknown = self._text.assign([t for t, _ in known], [v for _, v in known], unknown, depth)
        except NotCompiled:
            self._text.stop(depth)
            return
        self._block(outer, block, k + 1, unknown | left_open, depth)


def _function(text: Text, taken: Sequence[Var], changed: Sequence[Var]) -> _Code:
    name = text.terms.name
    taken_names = [part for v in taken for part in _names(v, name(v))]
    fresh = [f"    {name(v)} = None" for v in changed if v not in taken]
    code = "\n".join(
        (
            f"def loop({', '.join(['world', 'most', *taken_names])}):",
            "    n = 0",
            *fresh,
            "    try:",
            "        while n < most:",
            *text.lines,
            "    except (Undecided, KeyError):",  # of an open map
            "        return n, None",
            f"    return n, ({' '.join(name(v) + ',' for v in changed)})",
        )
    )
    space: dict[str, object] = {**text.terms.helpers, "Undecided": Undecided}
    exec(compile(code, "<loop>", "exec"), space)
    return space["loop"]  # type: ignore[return-value]


def _names(var: Var, name: str) -> tuple[str, ...]:
    return (name, default_name(name)) if isinstance(var.type, Map) else (name,)


def _assumed_first(block: Block) -> list[Assume]:
    return [s for s in takewhile(lambda s: isinstance(s, Assume), block.statements) if isinstance(s, Assume)]


def _are_opposite(blocks: Mapping[str, Block], targets: Sequence[str]) -> bool:
    """Whether of two targets, the one is taken if and only if the other is not."""
    match [_assumed_first(blocks[t]) for t in targets]:
        case [[Assume(one)], [Assume(other)]]:
            return _negates(one, other) or _negates(other, one)
        case _:
            return False


def _negates(one: Expr, other: Expr) -> bool:
    return isinstance(other, App) and other.op is Op.NOT and other.args[0] is one


def _has_loop(body: Implementation) -> bool:
    graph = {b.label: list(b.successors) for b in body.blocks}
    return any(len(c) > 1 or c[0] in graph[c[0]] for c in strongly_connected_components(graph))
