"""A region as a program of its own (Akhundov et al., Verification by Gambling on Program Slices, §2 and §4.1).

    procedure main()                            procedure main_region_head()
    {                                           {
      var i, s: int;                              var i, s: int;
      start: i := 0; s := 0; goto head;           region: goto head;
      head:  goto body, done;            becomes  head:   goto body;
      body:  assume i < 9; i := i + 1;            body:   assume i < 9; i := i + 1;
             assert i > 0; goto head;                     assert i > 0; return;
      done:  return;                            }
    }

Its variables are arbitrary at its head, jumps back to the head and out of the region end the run. A procedure is one as
it stands, called with arbitrary arguments that satisfy its preconditions in an arbitrary state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from paddock.ir.entry import with_entry
from paddock.ir.expr import Attribute, Expr, Scope, Var
from paddock.ir.origin import Origin
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.stmt import Assert, Assume, Block, Goto, Return, Statement
from paddock.ir.walk import variables
from paddock.passes.names import FreshNames
from paddock.passes.prune import prune
from paddock.passes.rewriting import declared_in, map_expressions, variables_in, with_prologue, with_snapshots
from paddock.passes.switch_assertions import source_of
from paddock.search.regions.tree import Region

EXTRACTED = "region"  # what makes all that is added here


def extracted(program: Program, region: Region, known: Iterable[Expr] = ()) -> Program:
    """The program that starts at the head of a region, where what is `known` holds, and ends where it is left."""
    procedure = program.procedure_named[region.procedure]
    visible = {d.var for d in (*program.globals, *declared_in(procedure))}
    known = [c for c in known if all(v in visible or v.scope in (Scope.CONST, Scope.BOUND) for v in variables(c))]
    if region.head is None:
        return prune(with_entry(_with_requirements(program, procedure, known), procedure.name))
    taken_out = _loop_procedure(program, procedure, region, known)
    return prune(with_entry(replace(program, procedures=(*program.procedures, taken_out)), taken_out.name))


def assuming_known(program: Program, known: Collection[Origin]) -> Program:
    """The program that assumes those assertions that are known to hold; the same object if there are none."""
    holding = set(known)

    def statement(s: Statement) -> Statement:
        if isinstance(s, Assert) and source_of(s.origin) in holding:
            return Assume(s.condition, origin=s.origin.by(EXTRACTED))
        return s

    if not holding:
        return program
    return _with_blocks(program, lambda b: replace(b, statements=tuple(map(statement, b.statements))))


def with_judged(program: Program, ids: Mapping[Origin, str], *, assuming: bool) -> Program:
    """The program with those assertions that have ids, under these. The others are assumptions or, not `assuming` them,
    left out."""

    def statements(block: Block) -> Iterable[Statement]:
        for statement in block.statements:
            if not isinstance(statement, Assert):
                yield statement
                continue
            given = ids.get(source_of(statement.origin))
            if given is not None:
                others = tuple(a for a in statement.attributes if a.name != "id")
                yield replace(statement, attributes=(Attribute("id", (given,)), *others))
            elif assuming:
                yield Assume(statement.condition, origin=statement.origin.by(EXTRACTED))

    return _with_blocks(program, lambda block: replace(block, statements=tuple(statements(block))))


def _with_blocks(program: Program, f: Callable[[Block], Block]) -> Program:
    def with_body(procedure: Procedure) -> Procedure:
        bodies = (replace(i, blocks=tuple(map(f, i.blocks))) for i in procedure.implementations)
        return replace(procedure, implementations=tuple(bodies))

    return replace(program, procedures=tuple(map(with_body, program.procedures)))


def _with_requirements(program: Program, procedure: Procedure, known: Iterable[Expr]) -> Program:
    """The program in which what is known holds where a procedure starts."""
    body = procedure.body
    assert body is not None
    assumed = with_prologue(body, _assumptions(known, procedure.origin))
    new = replace(procedure, implementations=(assumed,))
    return replace(program, procedures=tuple(new if p is procedure else p for p in program.procedures))


def _assumptions(known: Iterable[Expr], origin: Origin) -> tuple[Statement, ...]:
    return tuple(Assume(condition, origin=origin.by(EXTRACTED)) for condition in known)


def _loop_procedure(program: Program, procedure: Procedure, region: Region, known: Iterable[Expr]) -> Procedure:
    """The procedure that runs the body of a loop once."""
    body = procedure.body
    assert body is not None and region.head is not None
    origin = region.origin.by(EXTRACTED)
    taken = FreshNames(v.name for v in variables_in(procedure))
    snapshots: dict[Var, Var] = {}
    without_old: dict[Expr, Expr] = {}

    def snapshot(var: Var) -> Var:
        """What a global was when the procedure started: anything, but the same wherever it is asked for."""
        return snapshots.setdefault(var, local_var(taken(f"old_{var.name}"), var.type))

    def at_entry(expr: Expr) -> Expr:
        return with_snapshots(expr, snapshot, without_old)

    inside = {label for label in region.blocks if label != region.head}

    def within(block: Block) -> Block:
        targets = tuple(t for t in block.successors if t in inside)
        origin = block.transfer.origin
        transfer = Goto(targets, origin=origin) if targets else Return(origin=origin)
        return map_expressions(replace(block, transfer=transfer), at_entry)

    blocks = [within(block) for block in body.blocks if block.label in set(region.blocks)]
    start = FreshNames(region.blocks)(EXTRACTED)
    at_head = Block(start, _assumptions(known, origin), Goto((region.head,), origin=origin), origin)
    first = map_expressions(at_head, at_entry)
    declared = [d.var for d in (*procedure.params, *procedure.results, *body.locals)]
    mentioned = variables_in(first, *blocks)
    locals_ = tuple(VarDecl(var, origin=origin) for var in (*declared, *snapshots.values()) if var in mentioned)
    return Procedure(
        FreshNames(program.top_level_names())(f"{region.procedure}_region_{region.head}"),
        modifies=procedure.modifies,
        implementations=(Implementation(locals_, (first, *blocks), origin=origin),),
        attributes=(Attribute("region", (region.procedure, region.head)),),
        origin=origin,
    )
