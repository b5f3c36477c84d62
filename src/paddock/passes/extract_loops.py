"""Each natural loop becomes a tail-recursive procedure (Corral §1: "loops are converted to recursive procedures").

    implementation P() returns (x: int)        implementation P() returns (x: int)
    {                                          {
      start: x := 0; goto head;                  start: x := 0; goto head;
      head:  goto body, end;                     head:  call x := P_loop_head(x); goto body, end;
      body:  x := x + 1; goto head;              body:  x := x + 1; assume false; return;
      end:   return;                             end:   return;
    }                                          }
                                               procedure {:loop "P", "head"} P_loop_head(in_x: int) returns (x: int)
                                               {
                                                 enter: x := in_x; goto head, done;
                                                 head:  goto body;
                                                 body:  x := x + 1; goto again;
                                                 again: call x := P_loop_head(x); return;
                                                 done:  return;
                                               }

The loop procedure runs zero or more complete iterations and returns at the head; the blocks that stay behind are
the last iteration, which does not come back to the head. So R activations of the loop procedure are R-1 complete
iterations. Inner loops go first. Where loops are entered in several blocks, `reducible.py` splits nodes before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.cfg import Cfg
from paddock.ir.expr import Attribute, Expr, Scope, Var
from paddock.ir.graph import strongly_connected_components
from paddock.ir.modref import assigned
from paddock.ir.names import FreshNames
from paddock.ir.origin import Made, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.rewriting import (
    calls_in,
    map_expressions,
    variables_in,
    with_prologue,
    with_snapshots,
    with_successors,
)
from paddock.ir.stmt import Assign, Assume, Block, Call, Goto, Havoc, Return, Statement
from paddock.passes.check_specs import where_of
from paddock.passes.reducible import made_reducible

_NAME = "extract-loops"


def extract_loops(program: Program) -> Program:
    """The program without cycles inside procedures; a procedure that had none is unchanged."""
    names = FreshNames(program.top_level_names())
    modifies = {p.name: p.modifies for p in program.procedures}
    procedures: list[Procedure] = []
    for procedure in program.procedures:
        bodies: list[Implementation] = []
        loops: list[Procedure] = []
        for implementation in procedure.implementations:
            if _has_cycle(implementation):
                extraction = _Extraction(program, procedure, implementation, names, modifies)
                loops += extraction.loop_procedures()
                implementation = extraction.body()
            bodies.append(implementation)
        unchanged = all(new is old for new, old in zip(bodies, procedure.implementations, strict=True))
        procedures.append(procedure if unchanged else replace(procedure, implementations=tuple(bodies)))
        procedures += loops
    return replace(program, procedures=tuple(procedures))


def _has_cycle(implementation: Implementation) -> bool:
    """Whether the blocks, reachable or not, form a cycle."""
    successors = Cfg(implementation).successors
    return any(len(c) > 1 or c[0] in successors[c[0]] for c in strongly_connected_components(successors))


class _Extraction:
    """One implementation while its loops are taken out of it."""

    def __init__(
        self,
        program: Program,
        procedure: Procedure,
        implementation: Implementation,
        names: FreshNames,
        modifies: dict[str, tuple[Var, ...]],
    ) -> None:
        self.program = program
        self.procedure = procedure
        self.implementation = made_reducible(implementation, procedure.name)
        self.procedure_names = names
        self.modifies = modifies  # of every procedure by name; grows by the loop procedures
        self.cfg = Cfg(self.implementation)
        self.blocks = dict(self.cfg.blocks)
        self.predecessors = {label: dict.fromkeys(before) for label, before in self.cfg.predecessors.items()}
        declarations = (*procedure.params, *procedure.results, *implementation.locals)
        self.declarations = {d.var: d for d in declarations}
        self.local_names = FreshNames(v.name for v in variables_in(procedure))
        self.snapshots: dict[Var, Var] = {}  # for a global, the local with its value at the procedure's entry
        self.without_old: dict[Expr, Expr] = {}

    def loop_procedures(self) -> list[Procedure]:
        """Takes all loops out, inner ones first, and gives a procedure for each."""
        loops = reversed(self.cfg.loop_edges.items())
        return [self._take_out(head, [start for start, _ in edges]) for head, edges in loops]

    def body(self) -> Implementation:
        """What is left of the implementation when the loops have been taken out."""
        snapshots = tuple(self.declarations[v] for v in self.snapshots.values())
        body = replace(
            self.implementation,
            locals=(*self.implementation.locals, *snapshots),
            blocks=tuple(self.blocks.values()),
        )
        if not snapshots:
            return body
        origin = self.implementation.origin.by(Made(_NAME))
        return with_prologue(body, (Assign(tuple(self.snapshots.values()), tuple(self.snapshots), origin=origin),))

    def _take_out(self, head: str, ends: list[str]) -> Procedure:
        """Takes out the loop with this head, to which the blocks `ends` jump back."""
        block = self.blocks[head]
        iteration = [self._moved(self.blocks[label]) for label in self._complete_iterations(head, ends)]
        name = self.procedure_names(f"{self.procedure.name}_loop_{head}")
        statements = [s for b in iteration for s in b.statements]
        written = {v for s in statements for v in assigned(s)}
        occurring = variables_in(*iteration)
        carried = [d for v, d in self.declarations.items() if v in occurring]
        changed = tuple(d.var for d in carried if d.var in written)
        self.modifies[name] = self._modified(statements, written)
        call = Call(
            name, tuple(d.var for d in carried), changed, origin=block.origin.by(Made(_NAME, Role.LOOP, "loop"))
        )

        self.blocks[head] = replace(block, statements=(call, *block.statements))
        for label in ends:
            end = self.blocks[label]
            self.blocks[label] = with_successors(end, tuple(t for t in end.successors if t != head))
            del self.predecessors[head][label]

        in_names = FreshNames(v.name for v in occurring)
        initial = {v: local_var(in_names(f"in_{v.name}"), v.type) for v in changed}
        return Procedure(
            name,
            params=tuple(_plain(d, initial.get(d.var, d.var)) for d in carried),
            results=tuple(_plain(self.declarations[v], v) for v in changed),
            modifies=self.modifies[name],
            implementations=(_loop_body(head, iteration, call, initial),),
            attributes=(Attribute("loop", (self.procedure.name, head)),),
            origin=call.origin,
        )

    def _complete_iterations(self, head: str, ends: list[str]) -> list[str]:
        """The blocks of the loop from which its head can be reached again.

        Blocks that only lead into the last iteration of an inner loop are not among them. So each block is looked at
        once for each procedure that it becomes part of, however deep loops are nested.
        """
        found = dict.fromkeys((head, *ends))
        waiting = [label for label in ends if label != head]
        while waiting:
            new = [label for label in self.predecessors[waiting.pop()] if label not in found]
            found.update(dict.fromkeys(new))
            waiting += new
        return sorted(found, key=self.cfg.position.__getitem__)

    def _modified(self, statements: list[Statement], written: set[Var]) -> tuple[Var, ...]:
        by_callees = {v for s in statements for c in calls_in(s) for v in self.modifies[c.procedure]}
        return tuple(d.var for d in self.program.globals if d.var in written or d.var in by_callees)

    def _moved(self, block: Block) -> Block:
        """The block as it must read in another procedure: `old` means the entry of this one, and what
        `where` says of a local, which does not move with it, is assumed after each `havoc`."""
        statements = tuple(s for old in block.statements for s in self._with_where(old))
        return map_expressions(replace(block, statements=statements), self._at_entry)

    def _with_where(self, statement: Statement) -> Iterator[Statement]:
        yield statement
        if isinstance(statement, Havoc):
            for target in statement.targets:
                declaration = self.declarations.get(target)
                if declaration is not None and declaration.where is not None:
                    yield Assume(
                        declaration.where,
                        origin=statement.origin.by(where_of(target.name)),
                    )

    def _at_entry(self, expr: Expr) -> Expr:
        """The expression with snapshots in place of `old`."""
        return with_snapshots(expr, self._snapshot, self.without_old)

    def _snapshot(self, var: Var) -> Var:
        if var not in self.snapshots:
            local = local_var(self.local_names(f"old_{var.name}"), var.type)
            self.snapshots[var] = local
            origin = self.implementation.origin.by(Made(_NAME))
            self.declarations[local] = VarDecl(local, origin=origin)
        return self.snapshots[var]


def _plain(declaration: VarDecl, var: Var) -> VarDecl:
    """The variable declared with those attributes that mean the same in another procedure."""
    attributes = tuple(a for a in declaration.attributes if all(v.scope is not Scope.LOCAL for v in variables_in(a)))
    return VarDecl(var, None, attributes, declaration.origin)


def _loop_body(head: str, iteration: list[Block], call: Call, initial: dict[Var, Var]) -> Implementation:
    """The body of a loop procedure: return at once, or run an iteration and start again."""
    origin = call.origin
    fresh = FreshNames(b.label for b in iteration)
    enter, again, done = fresh("enter"), fresh("again"), fresh("done")
    inside = {b.label for b in iteration}

    def within(block: Block) -> Block:
        """The block without the jumps that leave the loop."""
        targets = (again if t == head else t for t in block.successors if t in inside)
        return with_successors(block, tuple(targets))

    start = (Assign(tuple(initial), tuple(initial.values()), origin=origin),) if initial else ()
    blocks = (
        Block(enter, start, Goto((head, done), origin=origin), origin),
        *map(within, iteration),
        Block(again, (call,), Return(origin=origin), origin),
        Block(done, (), Return(origin=origin), origin),
    )
    return Implementation((), blocks, origin=origin)


@frozen
class ExtractLoops:
    """The pass `extract-loops`."""

    name: ClassVar[str] = "extract-loops"
    summary: ClassVar[str] = "each loop as a tail-recursive procedure"

    def __call__(self, program: Program) -> Program:
        return extract_loops(program)
