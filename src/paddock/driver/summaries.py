"""From files to what procedures are found to ensure: the pipeline of the command `summaries`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from paddock.driver.loading import read_files, showing_lines
from paddock.driver.pipeline import goal_of, made_ready, refuse_candidates, require_sequential
from paddock.driver.plan import CheckPlan, has_assertion
from paddock.engines.assertions import assertions_in
from paddock.engines.houdini.infer import Houdini, infer, summaries
from paddock.engines.inlining.search import stated
from paddock.engines.interpolation.one_by_one import Step, one_by_one
from paddock.engines.outcome import Budget
from paddock.frontends import language_of
from paddock.frontends.source import Source
from paddock.frozen import replace
from paddock.ir.build import int_lit
from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Attribute, Fn
from paddock.ir.modref import mod_ref
from paddock.ir.origin import AssertionId
from paddock.ir.printer import expr_text, program_text
from paddock.ir.program import Clause, Procedure, Program, is_loop
from paddock.ir.rewriting import expressions_in, variables_in, without_capture
from paddock.ir.walk import subterms
from paddock.options import Options
from paddock.passes.reach_goal import as_reachability
from paddock.passes.template_candidates import templates_of
from paddock.report.summaries import Summaries, Summary
from paddock.solvers.factory import open_solver, suited
from paddock.verdict import Verdict


def summaries_of_files(paths: Sequence[str], options: Options) -> Summaries:
    """The summaries that Houdini infers for the program that the files make, and why there may be more, if not all
    candidates were looked at; without `--houdini`, those that come from proofs. Raises `SolverFailure`."""
    if not options.summaries.houdini:
        return summaries_from_proofs(paths, options)
    sources: list[Source] = []
    inferred, incompleteness = summaries_of(read_files(paths, options, sources), options, sources)
    return Summaries(_listed(inferred), program_text(inferred), incompleteness)


def _listed(program: Program) -> tuple[Summary, ...]:
    say = language_of(program).condition
    return tuple(
        Summary(
            p.name,
            p.origin.file,
            p.origin.line,
            is_loop(p),
            tuple(expr_text(clause.condition) for clause in p.requires),
            tuple(expr_text(clause.condition) for clause in p.ensures),
            tuple(text for clause in p.ensures if (text := say(clause.condition, p.name, program, {})) is not None),
        )
        for p in program.procedures
    )


def summaries_from_proofs(paths: Sequence[str], options: Options) -> Summaries:
    """Interpolants of proofs: for each procedure what the rest of the program needs of it, for all assertions together
    or, with `--all-assertions`, for one after the other; with `--implications`, for those alone that no other implies
    (assertion-implications paper, §4.2). Raises `SolverFailure`."""
    strongest: Collection[str] | None = None
    if options.dependence.implications:
        from paddock.driver.implications import implications_of_files

        strongest = implications_of_files(paths, options, None).strongest
        options = options.changed(implications=False)
    sources: list[Source] = []
    given = read_files(paths, options, sources)
    ready = made_ready(given, options, sources)
    require_sequential(ready.original)
    question, assertions = ready.question, assertions_in(ready.identified)
    prepared = CheckPlan(options).lifting(question.goal)(ready.prepared) if has_assertion(ready.prepared) else None
    if prepared is None and question.goal == "assertion":
        return Summaries((), "", f"there is no assertion in what {ready.entry} reaches")
    budget = Budget(options.limits.timeout)
    name = suited(options.smt.solver, whole_formulas=False)[0]
    with open_solver(name, seed=options.smt.seed, dump_dir=options.smt.dump_smt) as solver:
        asked = stated(ready.original, prepared or ready.prepared, question, solver, budget)
        checked = [a for a in assertions if a.source in asked.switches]
        groups = [[a.source] for a in checked if strongest is None or a.id in strongest] or [[]]
        steps = list(one_by_one(ready.original, asked, question, groups, solver, budget))
    return _shown(steps, asked.program, {a.source: a.id for a in assertions})


def _shown(steps: Sequence[Step], program: Program, ids: Mapping[AssertionId, str]) -> Summaries:
    """The summaries of steps as procedures without bodies, each clause with the assertion that it was made for."""
    clauses: dict[str, list[Clause]] = {}
    procedures: dict[str, Procedure] = {}
    missing: list[str] = []
    for step in steps:
        what = " and ".join(ids[source] for source in step.group) or "the program"
        if step.outcome.verdict in (Verdict.BUG, Verdict.UNKNOWN):
            missing.append(f"{what}: {step.outcome.verdict.value}")
        elif step.found is None:
            missing.append(f"{what}: proved, but there are no summaries that are as good as the bodies")
        else:
            effects = mod_ref(step.found.program)
            bound = step.found.bound
            marks = (Attribute("bound", (int_lit(bound),)),) if bound is not None else ()
            proves = tuple(Attribute("proves", (ids[source],)) for source in step.group)
            for name, conditions in step.new.items():
                procedure = step.found.program.procedure_named[name]
                alone = replace(procedure, ensures=(), implementations=(), modifies=effects[name].modifies)
                procedures[name] = replace(alone, attributes=(*procedure.attributes, *marks))
                clauses.setdefault(name, []).extend(
                    Clause(c, free=True, attributes=proves, origin=procedure.origin) for c in conditions
                )
    order = {p.name: n for n, p in enumerate(program.procedures)}
    named = sorted(procedures, key=lambda name: (order.get(name.split("#")[0], len(order)), name))
    saying = tuple(replace(procedures[name], ensures=tuple(clauses[name])) for name in named)
    mentioned = variables_in(*saying)
    used = {e.op.name for e in subterms(expressions_in(*saying)) if isinstance(e, App) and isinstance(e.op, Fn)}
    shown = without_capture(
        replace(
            program,
            constants=tuple(c for c in program.constants if c.var in mentioned),
            functions=tuple(f for f in program.functions if f.name in used),
            axioms=(),
            globals=tuple(d for d in program.globals if d.var in mentioned),
            procedures=saying,
        )
    )
    return Summaries(_listed(shown), program_text(shown), "; ".join(missing))


def summaries_of(given: Program, options: Options, sources: Sequence[Source] = ()) -> tuple[Program, str]:
    """The summaries that Houdini infers for a program that has been read from these sources, or else from elsewhere."""
    if not sources:
        refuse_candidates(options)
    with showing_lines(sources):
        plan = CheckPlan(options.changed(houdini=True))
        identified = plan.identified(given)
        require_sequential(identified)
        houdini = Houdini(options.summaries.houdini_timeout, templates_of(identified))
        prepared = plan.preparation(plan.entered(identified))
    program = as_reachability(prepared, goal_of(prepared, entry_name(prepared), options))
    with open_solver(options.smt.solver, seed=options.smt.seed, dump_dir=options.smt.dump_smt) as solver:
        inferred = infer(program, houdini, solver, Budget())
    return summaries(inferred), inferred.incompleteness
