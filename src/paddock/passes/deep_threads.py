"""All assertions of a concurrent program in its entry procedure (deep-asserts paper, §V.B and Fig. 5).

    implementation main()                    implementation {:entrypoint} main_first()
    {                                        {
      start: async call P(1); yield;           start: failing := 0; goto own, other;
             assert g > 0; return;             own:   failing := 1; call main(); return;
    }                                          other: async call main(); yield; goto P;
    implementation P(x: int)                   P:     assume failing == 2; call P(P_x); return;
    {                                        }
      start: assert x > 0; return;           implementation main()
    }                                        {
                                               start: goto keep, hand_over;
                                               keep:  async call P(1); goto on;
                                               hand_over: assume failing == 0; P_x, failing := 1, 2; goto on;
                                               on: yield; …
                                             }

At most one thread fails, and that is run by the new entry: the first thread, or one that another hands over instead of
starting it. Then assertions are lifted to the entry as in a sequential program (see `deep_asserts.py`): threads that
are started do not fail, and what they assert, they assume.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from paddock.analysis.sharing import Sharing
from paddock.frozen import frozen, replace
from paddock.ir.build import eq, int_lit
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.expr import Attribute, Expr, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import Made, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, global_var
from paddock.ir.rewriting import variables_in
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Return, Statement, Yield
from paddock.ir.threads import SWITCH, has_threads, is_thread_local, statements_in
from paddock.ir.types import INT
from paddock.passes.check_specs import check_specs
from paddock.passes.deep_asserts import deep_asserts
from paddock.passes.infer_modifies import infer_modifies
from paddock.passes.merge_implementations import merge_implementations

_NAME = "deep-threads"
_NEW = Made(_NAME, Role.NEW_BLOCK)
_SPLIT = Made(_NAME, Role.SPLIT)
_HAND_OVER = Made(_NAME, Role.HAND_OVER)


def deep_threads(program: Program) -> Program:
    """The program whose entry has all assertions of all threads; the same object if no thread is started. All switches
    are `yield` already, and contracts are spelled out first."""
    if not has_threads(program):
        return program
    return infer_modifies(deep_asserts(_HandOver(check_specs(merge_implementations(program))).program()))


class _HandOver:
    """A program in which the thread that fails is run by the entry."""

    def __init__(self, program: Program) -> None:
        self.given = program
        taken = {v.name for p in program.procedures for v in variables_in(p)}
        self.fresh = FreshNames(taken.union(program.top_level_names()))
        self.entry = program.procedure_named[entry_name(program)]
        self.sharing = Sharing(program)
        asserting = {p.name for p in program.procedures if any(isinstance(s, Assert) for s in statements_in(p))}
        roots = [r for r in self.sharing.roots if not asserting.isdisjoint(self.sharing.run_by(r))]
        self.failing = global_var(self.fresh("failing"), INT)
        # The number of each procedure in which a thread that fails may start, and what keeps its arguments.
        self.numbers = {root: n for n, root in enumerate(roots, 2) if root in self.sharing.roots[1:]}
        self.kept = {
            root: [global_var(self.fresh(f"{root}_{p.name}"), p.var.type) for p in program.procedure_named[root].params]
            for root in self.numbers
        }

    def program(self) -> Program:
        first = self._first()
        procedures = (*map(self._procedure, self.given.procedures), first)
        origin = first.origin
        added = [self.failing, *(v for kept in self.kept.values() for v in kept)]
        globals_ = (*self.given.globals, *(VarDecl(v, origin=origin) for v in added))
        return infer_modifies(with_entry(replace(self.given, globals=globals_, procedures=procedures), first.name))

    def _procedure(self, procedure: Procedure) -> Procedure:
        bodies = tuple(replace(i, blocks=tuple(self._blocks(i))) for i in procedure.implementations)
        return replace(procedure, implementations=bodies)

    def _blocks(self, implementation: Implementation) -> Iterable[Block]:
        labels = FreshNames(b.label for b in implementation.blocks)
        for block in implementation.blocks:
            label, statements = block.label, list[Statement]()
            for statement in block.statements:
                if not (isinstance(statement, Call) and statement.asynchronous and statement.procedure in self.numbers):
                    statements.append(statement)
                    continue
                keep, hand_over, after = (labels(block.label) for _ in range(3))
                split, new = statement.origin.by(_SPLIT), statement.origin.by(_NEW)
                yield Block(label, tuple(statements), Goto((keep, hand_over), origin=split), block.origin)
                onward = Goto((after,), origin=split)
                yield Block(keep, (statement,), onward, new)
                yield Block(hand_over, self._handing_over(statement), onward, new)
                label, statements = after, []
            yield replace(block, label=label, statements=tuple(statements))

    def _handing_over(self, call: Call) -> tuple[Statement, ...]:
        origin = call.origin.by(_NEW)
        none_fails = Assume(eq(self.failing, int_lit(0)), origin=origin)
        targets: list[Var] = [*self.kept[call.procedure], self.failing]
        values: list[Expr] = [*call.args, int_lit(self.numbers[call.procedure])]
        return none_fails, Assign(tuple(targets), tuple(values), origin=call.origin.by(_HAND_OVER))

    def _first(self) -> Procedure:
        """The new entry."""
        inner = self.entry
        origin = inner.origin.by(_NEW)
        labels = FreshNames(())
        own_globals = tuple(g.var for g in self.given.globals if is_thread_local(g))
        start, own, other = (labels(name) for name in ("start", "own", "other"))
        args, results = (tuple(d.var for d in group) for group in (inner.params, inner.results))
        end = Return(origin=origin)

        def failing_is(number: int) -> Assign:
            return Assign((self.failing,), (int_lit(number),), origin=origin)

        blocks = [
            Block(start, (failing_is(0),), Goto((own, other), origin=origin), origin),
            Block(own, (failing_is(1), Call(inner.name, args, results, free=True, origin=origin)), end, origin),
        ]
        started = Call(
            inner.name, args, (), free=True, asynchronous=True, attributes=(Attribute(SWITCH),), origin=origin
        )
        targets = [labels(f"thread.{root}") for root in self.numbers]
        waiting = Goto(tuple(targets), origin=origin)
        blocks.append(Block(other, (started, Yield(origin=origin)), waiting, origin))
        for label, (root, number) in zip(targets, self.numbers.items(), strict=True):
            statements: list[Statement] = [Assume(eq(self.failing, int_lit(number)), origin=origin)]
            if own_globals:
                statements.append(Havoc(own_globals, origin))
            callee = self.given.procedure_named[root]
            ignored = tuple(replace(r.var, name=labels(f"ignored_{r.name}")) for r in callee.results)
            statements.append(Call(root, tuple(self.kept[root]), ignored, free=True, origin=origin))
            blocks.append(Block(label, tuple(statements), end, origin))
        locals_ = tuple(
            VarDecl(v, origin=origin)
            for b in blocks
            for s in b.statements
            if isinstance(s, Call) and s.procedure in self.numbers
            for v in s.results
        )
        body = Implementation(locals_, tuple(blocks), origin=origin)
        return Procedure(
            self.fresh(f"{inner.name}_first"),
            params=tuple(replace(d, where=None, attributes=()) for d in inner.params),
            results=tuple(replace(d, where=None, attributes=()) for d in inner.results),
            implementations=(body,),
            origin=origin,
        )


@frozen
class DeepThreads:
    """The pass `deep-threads`."""

    name: ClassVar[str] = "deep-threads"
    summary: ClassVar[str] = "all assertions of all threads in the entry procedure"

    def __call__(self, program: Program) -> Program:
        return deep_threads(program)
