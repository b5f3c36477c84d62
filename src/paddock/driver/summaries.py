"""From files to what procedures are found to ensure: the pipeline of the command `summaries`."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.driver.loading import read_files, showing_lines
from paddock.driver.pipeline import goal_of, prepare, refuse_candidates, require_sequential, with_single_bodies
from paddock.engines.houdini.infer import Houdini, infer, summaries
from paddock.engines.outcome import Budget
from paddock.frontends.source import Source
from paddock.ir.entry import entry_name
from paddock.ir.printer import expr_text, program_text
from paddock.ir.program import Program, is_loop
from paddock.options import Options
from paddock.passes.candidates import offered
from paddock.passes.reach_goal import as_reachability
from paddock.passes.template_candidates import templates_of
from paddock.report.summaries import Summaries, Summary
from paddock.solvers.factory import open_solver


def summaries_of_files(paths: Sequence[str], options: Options) -> Summaries:
    """The summaries that Houdini infers for the program that the files make, and why there may be more, if not all
    candidates were looked at. Raises `SolverFailure`."""
    sources: list[Source] = []
    inferred, incompleteness = summaries_of(read_files(paths, options, sources), options, sources)
    found = tuple(
        Summary(
            p.name,
            p.origin.file,
            p.origin.line,
            is_loop(p),
            tuple(expr_text(clause.condition) for clause in p.requires),
            tuple(expr_text(clause.condition) for clause in p.ensures),
        )
        for p in inferred.procedures
    )
    return Summaries(found, program_text(inferred), incompleteness)


def summaries_of(given: Program, options: Options, sources: Sequence[Source] = ()) -> tuple[Program, str]:
    """The summaries that Houdini infers for a program that has been read from these sources, or else from elsewhere."""
    if not sources:
        refuse_candidates(options)
    with showing_lines(sources):
        houdini = Houdini(options.summaries.houdini_timeout, templates_of(given))
        single = with_single_bodies(offered(given), options)
        require_sequential(single)
        prepared = prepare(single)
    program = as_reachability(prepared, goal_of(prepared, entry_name(prepared), options))
    with open_solver(options.smt.solver, seed=options.smt.seed, dump_dir=options.smt.dump_smt) as solver:
        inferred = infer(program, houdini, solver, Budget())
    return summaries(inferred), inferred.incompleteness
