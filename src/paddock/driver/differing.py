"""Two versions of a program: which procedures changed, and which of them break what the proof of the old one needs."""

from __future__ import annotations

from collections.abc import Iterator

from paddock.driver.loading import read_files
from paddock.driver.pipeline import Ready, made_ready, require_sequential
from paddock.driver.plan import CheckPlan, has_assertion
from paddock.engines.assertions import Findings
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.search import Exploration, Stated, replays, stated
from paddock.engines.interpolation.differing import Broken, broken
from paddock.engines.interpolation.lasting import Lasting, lasting
from paddock.engines.interpolation.unrolling import unrolled
from paddock.engines.interpolation.work import Work
from paddock.engines.judging import judging
from paddock.engines.outcome import Budget
from paddock.frontends.source import Source
from paddock.frozen import frozen
from paddock.ir.build import FALSE
from paddock.ir.expr import App, Expr, Op, Var
from paddock.ir.printer import expr_text
from paddock.ir.program import Program
from paddock.ir.walk import variables
from paddock.options import Options
from paddock.passes.candidates import error_variable
from paddock.solvers.factory import open_solver, suited
from paddock.solvers.interface import Solver
from paddock.solvers.values import Value


@frozen
class Difference:
    """A report about two versions, line by line, and whether the new one still does all that the proof of the old one
    needs; None if that is not known."""

    lines: tuple[str, ...]
    is_kept: bool | None


def difference_of_files(old: str, new: str, options: Options) -> Difference:
    """The difference of two files with one program each. Raises `InputError` and `SolverFailure`."""
    # Facts of callers and callees would change with the edit, and no procedure could be blamed.
    options = options.changed(facts=False)
    versions = [_ready(path, options) for path in (old, new)]
    budget = Budget(options.limits.timeout)
    changed = list(_changed(versions[0].original, versions[1].original))
    lines = [f"{name}: {how}" for name, how in changed]
    with open_solver(suited(options.smt.solver, whole_formulas=False)[0], seed=options.smt.seed) as solver:
        before, after = (_stated(version, options, solver, budget) for version in versions)
        proof = _proof(versions[0], before, solver, budget)
        if proof is None:
            return Difference((*lines, f"{old}: there is no proof with summaries to compare with"), None)
        program = _alike(proof, versions[1], after.program)
        missing = [n for n in proof.certificate.ensures if program is None or n not in program.procedure_named]
        if program is None or missing:
            gone = [f"{name}: not there any more, but the proof of {old} needs it" for name in missing]
            return Difference((*lines, *gone), False)
        found = list(broken(program, proof.certificate, solver, budget))
    lines += [_finding_text(one, error_variable(program)) for one in found]
    if not found:
        lines.append("all procedures do what the proof needs of them")
    return Difference(tuple(lines), not found)


def _ready(path: str, options: Options) -> Ready:
    sources: list[Source] = []
    ready = made_ready(read_files([path], options, sources), options, sources)
    require_sequential(ready.original)
    return ready


def _changed(old: Program, new: Program) -> Iterator[tuple[str, str]]:
    """The procedures that differ, in the order of the new version."""
    for procedure in new.procedures:
        before = old.procedure_named.get(procedure.name)
        if before is None:
            yield procedure.name, "new"
        elif before != procedure:
            yield procedure.name, "changed"
    yield from ((p.name, "removed") for p in old.procedures if p.name not in new.procedure_named)


def _stated(ready: Ready, options: Options, solver: Solver, budget: Budget) -> Stated:
    prepared = ready.prepared
    if has_assertion(prepared):
        prepared = CheckPlan(options).lifting(ready.question.goal)(prepared)
    return stated(ready.original, prepared, ready.question, solver, budget)


def _proof(ready: Ready, asked: Stated, solver: Solver, budget: Budget) -> Lasting | None:
    question = ready.question
    with solver.another() as own:
        judge = judging(replays(ready.original, question, Findings()), own, budget)
        exploration = Exploration(ready.original, question, asked, own, budget, Findings(), judge)
        proof = exploration.proof(exploration.run())
        return None if proof is None else lasting(proof, solver, Work(budget))


def _alike(proof: Lasting, ready: Ready, program: Program) -> Program | None:
    """A program within the bound of a proof, if it has one."""
    if proof.bound is None:
        return program
    question = ready.question
    bounds = Bounds(program, question.recursion_bound, question.loop_bound, question.constant_loops)
    whole = unrolled(program, bounds, proof.bound)
    return None if whole is None else whole.program


def _finding_text(found: Broken, error: Var | None) -> str:
    finding = "an assertion may fail" if found.condition is FALSE else f"need not ensure {expr_text(found.condition)}"
    if found.witness is None:
        return f"{found.procedure}: {finding}"
    witness = {place: value for place, value in found.witness.items() if error not in variables(place)}
    shown = sorted((_name(place), _text(value)) for place, value in witness.items())
    values = ", ".join(f"{name} = {value}" for name, value in shown)
    return f"{found.procedure}: {finding}{f', as for {values}' if values else ''}"


def _name(place: Expr) -> str:
    return f"old {expr_text(place.args[0])}" if isinstance(place, App) and place.op is Op.OLD else expr_text(place)


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
