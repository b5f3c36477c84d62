"""`paddock suite`: reads the tasks, has them checked, and prints what came of them."""

from __future__ import annotations

import argparse
import os
import sys

from paddock.cli.arguments import named_options, refuse
from paddock.cli.output import complain, require_writable, write
from paddock.driver.suite import ResultsFile, executor_for, read_rows, run_suite, work_for
from paddock.driver.suite_files import tasks_in
from paddock.report.color import PLAIN, painter_for
from paddock.report.registry import rendered
from paddock.report.suite import FAILED, FOUND, OPEN, WRONG, Row, Suite


def suite(args: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    if args.resume and args.results is None:
        refuse("--resume goes on with the table of --results, which is not named")
    if args.suite_jobs is not None and args.suite_jobs < 1:
        refuse(f"--jobs must be at least 1, not {args.suite_jobs}")
    if args.cpu is not None and not args.cpu > 0:
        refuse(f"--cpu must be a number of seconds above 0, not {args.cpu:g}")
    for path in (args.output, args.results):
        require_writable(path, args.suite)
    before = None if args.compare is None else read_rows(args.compare)
    work = work_for(tasks_in(args.suite), named_options(args), args.cpu)
    total = len(work)

    def on_row(row: Row, left: int) -> None:
        complain(f"[{total - left}/{total}] {row.name}: {row.verdict} ({row.outcome}), {row.cpu_s:.2f} CPU s")

    results = ResultsFile(args.results, args.resume)
    with executor_for(args.suite_executor, args.suite_jobs) as executor:
        found = Suite(run_suite(work, executor, results, on_row), before)
    paint = painter_for(sys.stdout, os.environ) if args.output is None else PLAIN
    write(rendered("suite", args.format, found, paint), args.output)
    return exit_status(found)


def exit_status(found: Suite) -> int:
    """The worst that came of a task: 1 for a wrong verdict or a bug, 2 for bad input, 3 for no answer."""
    outcomes = {row.outcome for row in found.rows}
    return next((status for kind, status in ((WRONG, 1), (FOUND, 1), (FAILED, 2), (OPEN, 3)) if kind in outcomes), 0)
