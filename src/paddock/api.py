"""The Python door: load a program, look at it, transform it with the passes, check it.

>>> import paddock
>>> program = paddock.load('''
...     procedure main(x: int) {
...       var y: int;
...       y := x * x;
...       while (y > 100) { y := y - 100; }
...       assert y <= 100;
...     }
... ''')
>>> [p.name for p in program.procedures]
['main']

The passes are functions from programs to programs. A loop becomes a procedure:

>>> flat = paddock.passes.extract_loops(program)
>>> len(flat.procedures)
2

What is wrong with a program is an `InputError` that says where:

>>> try:
...     paddock.load("procedure main(x: int) { assert y > 0; }")
... except paddock.InputError as error:
...     print(error)
<text>:1:33: error: undeclared identifier 'y'
  procedure main(x: int) { assert y > 0; }
                                  ^
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from paddock.driver import guard, loading, pipeline
from paddock.driver import implications as driver
from paddock.driver import summaries as driver_summaries
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.options import Options
from paddock.report.counterexample import Activation, Choice, Counterexample, TraceStep, TypedValue
from paddock.report.events import (
    AssertionProved,
    BoundCompleted,
    BugFound,
    Done,
    Event,
    Loaded,
    Prepared,
    Progress,
    RegionProved,
)
from paddock.report.events import Warning as Warning  # noqa: A004
from paddock.report.implications import ImplicationGraph
from paddock.report.result import AssertionResult, Result, Verdict

__all__ = [
    "Activation",
    "AssertionProved",
    "AssertionResult",
    "BoundCompleted",
    "BugFound",
    "Choice",
    "Counterexample",
    "Done",
    "Event",
    "ImplicationGraph",
    "InputError",
    "Loaded",
    "Options",
    "Prepared",
    "Program",
    "Progress",
    "RegionProved",
    "Result",
    "TraceStep",
    "TypedValue",
    "Verdict",
    "Warning",
    "check",
    "events",
    "implications",
    "load",
    "program_text",
    "summaries",
]


_DEFAULTS = Options()


def load(*paths_or_text: str | os.PathLike[str], candidates: str = "", options: Options = _DEFAULTS) -> Program:
    """The program in one or several files, or in a text.

    A path object is a file, and so is a string with the ending of one (`.bpl`, `.c`, `.i`); any other string is the
    program itself, in Boogie. The text `candidates` has contracts for Houdini to try, as the file of `--candidates`
    has. The options say how C is to be read. What the user should know of the program is in its `warnings`.
    Raises `InputError` if a file cannot be read or the program is wrong.
    """
    texts = [loading.text_source(candidates, "<candidates>")] if candidates else []
    return loading.load(list(map(_source, paths_or_text)), texts, options)


def _source(path_or_text: str | os.PathLike[str]) -> Source:
    if isinstance(path_or_text, str) and not path_or_text.endswith(loading.endings()):
        return loading.text_source(path_or_text)
    return loading.read_source(os.fspath(path_or_text))


def check(program: Program, options: Options = _DEFAULTS) -> Result:
    """Ask whether an assertion of the program can fail.

    Limits hold as far as the solver looks at them. The command line checks in a process of its own, so that it can end
    a check at any time.

    >>> import paddock
    >>> program = paddock.load("procedure main(x: int) { var y: int; y := x * x; assert y > x; }")
    >>> result = paddock.check(program, paddock.Options.of(timeout=60))
    >>> result.verdict
    <Verdict.BUG: 'bug'>
    >>> result.trace[-1].text
    'assertion fails: y > x'
    """
    return pipeline.check(program, options)


def events(program: Program, options: Options = _DEFAULTS) -> Iterator[Event]:
    """The events of a check, as they come; the last is `Done` and has the result. The check runs in a process of its
    own, which ends when the iterator does, so that limits hold at any time, and who has seen enough can just leave the
    loop.

    >>> import paddock
    >>> program = paddock.load('''
    ...     procedure main(x: int) { assert {:id "square"} x * x >= 0; assert {:id "seven"} x != 7; }
    ... ''')
    >>> for event in paddock.events(program, paddock.Options.of(timeout=60, all_assertions=True)):
    ...     match event:
    ...         case paddock.BugFound(counterexample, assertion):
    ...             print(assertion.id, "fails:", counterexample.steps[-1].texts)
    ...         case paddock.Done(result):
    ...             print(result.verdict.value, [a.verdict.value for a in result.assertions])
    seven fails: {'x': '7'}
    bug ['proved', 'bug']
    """
    return guard.events(program, options)


def implications(program: Program, options: Options = _DEFAULTS) -> ImplicationGraph:
    """Which assertions of the program imply which, within the bounds of the options. How to look for them can be given
    with `implications` and `all_assertions`, as for a check that uses them.

    >>> import paddock
    >>> program = paddock.load('''
    ...     procedure main(x: int) { assert {:id "two"} x > 2; assert {:id "one"} x > 1; }
    ... ''')
    >>> paddock.implications(program).implications
    (('two', 'one', 'forward'),)
    >>> near = paddock.Options.of(all_assertions=True, implications=True, threshold=1)
    >>> len(paddock.implications(program, near).implications)
    1
    """
    return driver.implications_of(driver.prepared_program(program, options), options)


def summaries(program: Program, options: Options = _DEFAULTS) -> Program:
    """What Houdini finds that procedures and loops ensure: procedures without bodies, with free contracts.

    >>> import paddock
    >>> program = paddock.load('''
    ...     procedure inc(x: int) returns (y: int) { y := x + 1; }
    ...     procedure main() { var z: int; call z := inc(1); assert z > 1; }
    ... ''', candidates="procedure T(a: int) returns (b: int); ensures b > a;")
    >>> print(paddock.program_text(paddock.summaries(program)), end="")
    procedure inc(x: int) returns (y: int);
      free ensures y > x;
    """
    return driver_summaries.summaries_of(program, options)[0]
