"""The arguments of the command line: what each command understands, and what its help says."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, NoReturn

from paddock.cli.output import write
from paddock.engines.inlining.engines import ENGINES
from paddock.engines.inlining.merging import MERGES
from paddock.ir.origin import Diagnostic, InputError
from paddock.options import (
    CHECKS,
    CHOICES,
    DATA_MODELS,
    EXECUTORS,
    GAMBLE_FACTS,
    GOALS,
    INTEGERS,
    MISSING_BODIES,
    ORDERS,
    REFINEMENTS,
    UNSUPPORTED,
    Options,
    did_you_mean,
    flag,
)
from paddock.report.registry import formats
from paddock.version import __version__

DEFAULTS = Options()
SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")

EXAMPLES = """\
examples:
  paddock check examples/lock_bug.bpl                  find the bug and show how it happens
  paddock check --all-assertions examples/heap.bpl     give every assertion its own verdict
  paddock check --recursion-bound 20 --timeout 60 p.bpl
  paddock check --format json --output result.json p.bpl
  paddock summaries examples/lock.bpl                  what each procedure and each loop ensures
  paddock check --gamble examples/table.c              try single loops first
  paddock regions examples/table.c                     which loops are where
  paddock implications examples/implications.bpl       which assertions imply which
  paddock transform examples/lock.bpl --pass extract-loops,prune
  eval "$(paddock completion bash)"                    complete commands and options in this shell

exit status:
  0  no violation: proved, or bounded (unless --require-proof)
  1  bug: a violation, with its trace
  2  bad usage or bad input
  3  unknown: time, memory or the solver gave out
"""

IDS = """\
Each assertion has an id that stays when other parts of the program change: its procedure, what it is (assert, requires
at a call, ensures, invariant), a hash of its condition and, if that is not enough, a number, as in Close.assert.3f2a91.
An attribute {:id "NAME"} gives it another one. An assertion is judged on executions on which those before it hold.
"""

SUMMARIES = """\
Candidates come from the program's assertions and the constants that its variables meet, from --candidates FILE, from
procedures marked {:template} and from constants marked {:existential true}. What is printed holds whenever a procedure
returns; where it may fail, `err` says whether it did.
"""

JOBS = "verify N regions at a time (default: as many as processors); for implications, N processes (default: 1)"

REGIONS = """\
A region is a procedure, named as it is, or the body of a loop in it, named by procedure and line, as in main:416. In a
region all variables are arbitrary at its start; jumps back to the head of its loop or out of it end the run.
"""

ASSERTIONS = """\
Proposed are constants, equalities, ranges, orders, linear relations and what is not 0, as they were seen in all runs:
at the start and the end of procedures and at the heads of loops. With -o, the program is written with these assertions.
"""

IMPLICATIONS = """\
An assertion implies another if that one holds whenever the first does, on all executions within the bounds. Below each
assertion stands what it implies; = is before those that imply each other. For a picture, install the extra `svg`.
"""


HELP = "try paddock --help"
# What argparse says, in the words of `Options`; versions of Python differ in how they quote the choices.
REWORDED = (
    (r"argument (.*): invalid choice: '(.*)' \(choose from (.*)\)", "{0} {1} is unknown: choose from {2}"),
    (r"argument (.*): invalid int value: '(.*)'", "{0} must be a whole number, not {1}"),
    (r"argument (.*): invalid float value: '(.*)'", "{0} must be a number, not {1}"),
    (r"argument (.*): expected (?:one|at least one) argument", "{0} needs a value"),
    (r"argument (.*)", "{0}"),
    (r"(.*)", "{0}"),
)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are like all others, with a suggestion for a misspelt word."""

    def error(self, message: str) -> NoReturn:
        for pattern, words in REWORDED:
            if found := re.fullmatch(pattern, message, re.DOTALL):
                parts = list(found.groups())
                if len(parts) == 3:
                    known = re.findall(r"[\w-]+", parts[2])
                    parts[2] = ", ".join(known)
                    refuse(words.format(*parts), did_you_mean(parts[1], known))
                refuse(words.format(*parts))
        raise AssertionError(message)

    def unknown(self, words: Sequence[str]) -> NoReturn:
        """Refuse words that mean nothing here."""
        options = [word for word in words if word.startswith("-") and word != "-"]
        if not options:
            refuse(f"unexpected argument: {words[0]}")
        name = options[0].split("=")[0]
        known = [known for known in self._option_string_actions if known.startswith("--")]
        refuse(f"unknown option: {name}", did_you_mean(name, known))

    def _print_message(self, message: str, file: object = None) -> None:
        write(message)


def refuse(message: str, hint: str = "") -> NoReturn:
    """Refuse arguments that make no sense."""
    raise InputError(Diagnostic(message, hint=hint or HELP))


def build_parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the whole command line, and that of each command."""
    parser = Parser(
        prog="paddock",
        description="A bounded verifier for programs with procedures, loops, recursion and assertions.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"paddock {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)

    def command(name: str, help: str, epilog: str = "") -> Parser:
        description = help[0].upper() + help[1:] + "."
        made = commands.add_parser(name, help=help, description=description, epilog=epilog, allow_abbrev=False)
        assert isinstance(made, Parser)
        return made

    by_name = {
        "check": command("check", "ask whether an assertion of a program can fail", IDS),
        "summaries": command("summaries", "print what procedures are found to ensure, as Boogie", SUMMARIES),
        "implications": command("implications", "show which assertions imply which", IMPLICATIONS),
        "assertions": command("assertions", "list assertions, and propose some from running a program", ASSERTIONS),
        "ussa": command("ussa", "print a program unwound up to its bounds, as guarded instructions"),
        "regions": command("regions", "print which loops and procedures are in which others", REGIONS),
        "extract": command("extract", "print one region of a program as a program of its own", REGIONS),
        "transform": command("transform", "print a program after some passes, as Boogie"),
        "passes": command("passes", "list the passes"),
        "completion": command("completion", "print a completion script for a shell"),
    }
    _add_check_arguments(by_name["check"])
    _add_summaries_arguments(by_name["summaries"])
    _add_implications_arguments(by_name["implications"])
    _add_assertions_arguments(by_name["assertions"])
    _add_ussa_arguments(by_name["ussa"])
    _add_regions_arguments(by_name["regions"])
    _add_extract_arguments(by_name["extract"])
    _add_transform_arguments(by_name["transform"])
    by_name["completion"].add_argument("shell", choices=SHELLS)
    return parser, by_name


def completes(action: argparse.Action, kind: str) -> None:
    """Say what the shell may complete an argument to: `FILE` or `DIRECTORY`, by shtab's names for them."""
    action.completes = kind  # type: ignore[attr-defined]


def completion(parser: Parser, commands: Iterable[Parser], shell: str) -> str:
    """A script that completes commands and options. shtab is loaded here: nothing else needs it."""
    import shtab

    for command in commands:
        for action in command._actions:
            if kind := getattr(action, "completes", ""):
                action.complete = getattr(shtab, kind)  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell))


def _add_files(parser: Parser) -> None:
    files = parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a .bpl, .c or .i file, or - for standard input (Boogie)"
    )
    completes(files, "FILE")


def _add_track(add: Callable[..., argparse.Action]) -> None:
    add(
        "--track",
        type=names_in,
        default=(),
        metavar="NAME[,NAME...]",
        help="mark these globals, and no others, {:track}",
    )


def names_in(text: str) -> tuple[str, ...]:
    """Names with commas between."""
    return tuple(name.strip() for name in text.split(","))


def _names_or_none(text: str) -> tuple[str, ...]:
    return () if text == "none" else names_in(text)


def _add_check_arguments(parser: Parser) -> None:
    _add_files(parser)
    _add_search_arguments(parser)
    add = parser.add_argument_group("report").add_argument
    add("--format", choices=formats("check"), default="text", help="form of the report (default: text)")
    completes(add("--output", metavar="FILE", help="write the report to a file"), "FILE")
    harness = add("--harness", metavar="OUT.c", help="of a bug in a C program, write C code that makes it happen")
    completes(harness, "FILE")
    add("--verbose", action="store_true", help="say what was inferred of the program, too")
    add("--require-proof", action="store_true", help="exit with status 3 unless proved at every bound")


def _add_search_arguments(parser: Parser) -> None:
    """What to search for in a program, and how."""
    add = parser.add_argument_group("what to check").add_argument
    add(
        "--entry",
        "--function",
        dest="entry",
        metavar="NAME",
        help="entry procedure or function; its arguments are arbitrary (default: marked {:entrypoint}, else main)",
    )
    add("--goal", choices=GOALS, help="can an assertion fail (default), or can the entry procedure return")
    add("--all-assertions", action="store_true", help="a verdict for each assertion; a bug does not end the check")
    add(
        "--independent",
        action="store_true",
        help="with --all-assertions, judge each as if the others were not there (default: where those before it hold)",
    )
    _add_bounds(add)
    add(
        "--unwinding-assertions",
        action="store_true",
        help="a loop that may complete more iterations, or recursion that may be deeper, is a violation",
    )
    add = parser.add_argument_group("how to check").add_argument
    for name, choices, purpose in (
        ("engine", tuple(ENGINES), "search engine"),
        ("merge", tuple(MERGES), "merging strategy of dag and alternating"),
        (
            "choose",
            CHOICES,
            "what to inline: calls on a trace, in the core of why there is no bug without them, or at first both",
        ),
        ("refine", REFINEMENTS, "variable abstraction"),
    ):
        default = getattr(DEFAULTS, name)
        shown = default or "core in C programs, else both if assertions are lifted, else trace"
        add(flag(name), choices=choices, default=default, help=f"{purpose} (default: {shown})")
    _add_track(add)
    add(
        "--traces",
        type=int,
        default=DEFAULTS.traces,
        metavar="N",
        help="inline the calls on up to N traces at a time (default: 2 with --choose trace, else 1)",
    )
    add(
        "--data-disjointness",
        action=argparse.BooleanOptionalAction,
        default=DEFAULTS.data_disjointness,
        help="let calls under contradicting conditions share an instance, too",
    )
    add(
        "--share-early",
        action=argparse.BooleanOptionalAction,
        default=DEFAULTS.share_early,
        help="let calls share an instance as soon as there is one, wanted or not (default: yes)",
    )
    add(
        "--facts",
        action=argparse.BooleanOptionalAction,
        default=DEFAULTS.facts,
        help="find constants, intervals and equalities first (default: unless the program comes with summaries)",
    )
    for name, purpose in (
        ("houdini", "infer summaries"),
        (
            "deep_asserts",
            "lift assertions to the entry procedure (default: unless --engine alternating or --implications)",
        ),
    ):
        action = argparse.BooleanOptionalAction
        add(flag(name), action=action, default=getattr(DEFAULTS, name), help=purpose)
    _add_houdini_arguments(parser)
    _add_order_arguments(parser)
    _add_region_arguments(parser)
    _add_solver_arguments(parser)
    _add_language_arguments(parser)
    add = parser.add_argument_group("limits").add_argument
    add("--timeout", type=float, metavar="SECONDS", help="give up after this time")
    add("--memory", type=int, metavar="MB", help="give up beyond this much memory")
    add("--jobs", type=int, metavar="N", help=JOBS)


def _add_bounds(add: Callable[..., argparse.Action]) -> None:
    add(
        "--recursion-bound",
        type=int,
        default=DEFAULTS.recursion_bound,
        metavar="R",
        help="at most R activations of a procedure at once (default: %(default)s)",
    )
    add("--unwind", type=int, metavar="N", help="at most N complete iterations of a loop (default: R - 1)")
    add(
        "--constant-loops",
        action=argparse.BooleanOptionalAction,
        default=DEFAULTS.constant_loops,
        help="without --unwind, let loops with a constant number of iterations run to their end (default: they do)",
    )
    add(
        "--contexts",
        type=int,
        default=DEFAULTS.contexts,
        metavar="K",
        help="of a program with threads, at most K contexts a thread (default: %(default)s)",
    )
    add(
        "--preemptive",
        action=argparse.BooleanOptionalAction,
        default=DEFAULTS.preemptive,
        help="switch threads before each access to a shared global (default: if there is no yield)",
    )


def _add_houdini_arguments(parser: Parser) -> None:
    add = parser.add_argument_group("summaries").add_argument
    add(
        "--houdini-timeout",
        type=float,
        default=DEFAULTS.houdini_timeout,
        metavar="SECONDS",
        help="keep what is proved after this time (default: %(default)g)",
    )
    candidates = add("--candidates", metavar="FILE", help="try these contracts, too: requires, ensures and templates")
    completes(candidates, "FILE")


def _add_region_arguments(parser: Parser) -> None:
    add = parser.add_argument_group("regions").add_argument
    add(
        "--gamble",
        action="store_true",
        help="try each assertion in the loops and procedures around it first, without what comes before",
    )
    add(
        "--gamble-timeout",
        type=float,
        default=DEFAULTS.gamble_timeout,
        metavar="SECONDS",
        help="go on to the region around after this time (default: %(default)g)",
    )
    add(
        "--gamble-facts",
        type=_names_or_none,
        default=DEFAULTS.gamble_facts,
        metavar="NAME[,NAME...]",
        help=f"what to look for that holds where regions start: {', '.join(GAMBLE_FACTS)}, or none "
        f"(default: {','.join(DEFAULTS.gamble_facts)})",
    )
    add(
        "--backend",
        default=DEFAULTS.backend,
        metavar="NAME",
        help="who verifies regions: paddock, cbmc, boogie, ultimate, or a command (default: %(default)s)",
    )
    add(
        "--executor",
        choices=EXECUTORS,
        default=DEFAULTS.executor,
        help="where regions are verified: in processes here, or on a Ray cluster (default: %(default)s)",
    )
    add("--ray-address", metavar="ADDRESS", help="of a cluster that runs already (default: a new one on this machine)")


def _add_solver_arguments(parser: Parser) -> None:
    add = parser.add_argument_group("solver").add_argument
    add("--solver", default=DEFAULTS.solver, help="z3, cvc5 or a command that speaks SMT-LIB 2 (default: %(default)s)")
    add("--seed", type=int, default=DEFAULTS.seed, metavar="N", help="of all that is random (default: %(default)s)")
    dump = add("--dump-smt", metavar="DIR", help="write every query of the solver to a file in this folder")
    completes(dump, "DIRECTORY")


def _add_summaries_arguments(parser: Parser) -> None:
    _add_files(parser)
    parser.add_argument("--entry", "--function", dest="entry", metavar="NAME", help="entry procedure, as for check")
    parser.add_argument("--goal", choices=GOALS, help="the question that the summaries are for, as for check")
    _add_language_arguments(parser)
    _add_houdini_arguments(parser)
    _add_solver_arguments(parser)
    completes(parser.add_argument("-o", "--output", metavar="OUT", help="write to a file"), "FILE")


def _add_implications_arguments(parser: Parser) -> None:
    _add_ussa_arguments(parser)
    add = parser.add_argument
    add("--format", choices=formats("implications"), default="text", help="form of the graph (default: text)")
    add("--strongest", action="store_true", help="only the assertions that imply all others")
    add("--of", metavar="ID", help="only what has to do with one assertion, by its id")
    add("--timeout", type=float, metavar="SECONDS", help="show what is known after this time")
    add("--jobs", type=int, metavar="N", help="look for implications in N processes (default: 1)")
    _add_detection(parser.add_argument_group("implications").add_argument)
    _add_solver_arguments(parser)


def _add_order_arguments(parser: Parser) -> None:
    add = parser.add_argument_group("implications").add_argument
    add(
        "--implications",
        action="store_true",
        help="with --all-assertions, check them one by one, but not those that others imply",
    )
    add(
        "--order",
        choices=ORDERS,
        default=DEFAULTS.order,
        help="from the strongest, from the weakest, or by what is seen so far (default: %(default)s)",
    )
    _add_detection(add)


def _add_detection(add: Callable[..., argparse.Action]) -> None:
    """How implications are looked for."""
    add(
        "--threshold",
        type=int,
        default=DEFAULTS.threshold,
        metavar="N",
        help="not between assertions with more than N instructions between (default: %(default)s)",
    )
    add(
        "--query-timeout",
        type=float,
        default=DEFAULTS.query_timeout,
        metavar="SECONDS",
        help="give up on a single implication after this time (default: %(default)g)",
    )
    add(
        "--extended",
        action=argparse.BooleanOptionalAction,
        help="also by equalities from before, and by what comes later (default: not for check)",
    )


def _add_assertions_arguments(parser: Parser) -> None:
    _add_program_arguments(parser)
    add = parser.add_argument
    add("--runs", type=int, default=20, metavar="N", help="run on N random inputs (default: %(default)s)")
    inputs = add("--inputs", metavar="FILE", help="run on the whole numbers in each line of this file, too")
    completes(inputs, "FILE")
    add("--per-point", type=int, default=10, metavar="N", help="at most N assertions at a point (default: %(default)s)")
    add("--seed", type=int, default=DEFAULTS.seed, metavar="N", help="of all that is random (default: %(default)s)")


def _add_ussa_arguments(parser: Parser) -> None:
    _add_files(parser)
    parser.add_argument("--entry", "--function", dest="entry", metavar="NAME", help="entry procedure, as for check")
    _add_bounds(parser.add_argument)
    _add_language_arguments(parser)
    completes(parser.add_argument("-o", "--output", metavar="OUT", help="write to a file"), "FILE")


def _add_language_arguments(parser: Parser) -> None:
    """How programs are to be read."""
    add = parser.add_argument_group("Boogie programs").add_argument
    add(
        "--infer-modifies",
        dest="check_modifies",
        action="store_false",
        default=DEFAULTS.check_modifies,
        help="complete the modifies clauses of procedures that have a body (default)",
    )
    add(
        "--check-modifies",
        action="store_true",
        help="refuse procedures that change more than their modifies clauses say",
    )
    _add_c_arguments(parser)


def _add_c_arguments(parser: Parser) -> None:
    add = parser.add_argument_group("C programs").add_argument
    for name, field, metavar, purpose in (
        ("-I", "include_folders", "DIR", "look for headers in this folder, too"),
        ("-D", "definitions", "NAME[=VALUE]", "define a macro; in Boogie, a name for #if"),
        ("-include", "included_files", "FILE", "include this file first"),
    ):
        add(name, dest=field, action="append", default=[], metavar=metavar, help=purpose)
    add("--std", default=DEFAULTS.std, metavar="NAME", help="the standard of C (default: %(default)s)")
    commands = add("--compile-commands", metavar="FILE", help="a compile_commands.json with options for the files")
    completes(commands, "FILE")
    add(
        "--checks",
        type=names_in,
        default=DEFAULTS.checks,
        metavar="NAME[,NAME...]",
        help=f"what must hold: {', '.join(CHECKS)} (default: {','.join(DEFAULTS.checks)})",
    )
    for name, choices, purpose in (
        ("data_model", DATA_MODELS, "sizes of types"),
        ("integers", INTEGERS, "bit-precise integers, or those of mathematics"),
        ("missing_bodies", MISSING_BODIES, "functions without a body do anything, or are an error"),
        ("unsupported", UNSUPPORTED, "what is not supported is an error, or may do anything"),
    ):
        default = getattr(DEFAULTS, name)
        add(flag(name), choices=choices, default=default, help=f"{purpose} (default: {default})")
    add("--malloc-may-fail", action="store_true", help="malloc and its like may return a null pointer")


def options_in(args: argparse.Namespace, **others: object) -> Options:
    """The options that are among the arguments of a command."""
    given = {f.name: getattr(args, f.name) for f in fields(Options) if hasattr(args, f.name)}
    chosen: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return Options(**chosen | others)


def _add_regions_arguments(parser: Parser) -> None:
    _add_program_arguments(parser)
    add = parser.add_argument
    add("--format", choices=formats("regions"), default="text", help="form of the tree (default: text)")


def _add_extract_arguments(parser: Parser) -> None:
    _add_program_arguments(parser)
    parser.add_argument("--region", required=True, metavar="R", help="the region, as paddock regions names it")
    choices = ("boogie", "c")
    parser.add_argument("--language", choices=choices, default="boogie", help="what to write (default: boogie)")


def _add_program_arguments(parser: Parser) -> None:
    """What every command has that reads a program and prints something about it."""
    _add_files(parser)
    parser.add_argument("--entry", "--function", dest="entry", metavar="NAME", help="entry procedure, as for check")
    _add_language_arguments(parser)
    completes(parser.add_argument("-o", "--output", metavar="OUT", help="write to a file"), "FILE")


def _add_transform_arguments(parser: Parser) -> None:
    _add_files(parser)
    parser.add_argument(
        "--pass",
        dest="passes",
        metavar="NAME[:OPTION=VALUE...][,...]",
        help="passes, in this order, as in --pass extract-loops,abstract-globals:track=x+y",
    )
    parser.add_argument(
        "--as-searched",
        action="store_true",
        help="all passes of a check with these options: the program that is solved",
    )
    completes(parser.add_argument("-o", "--output", metavar="OUT", help="write to a file"), "FILE")
    _add_search_arguments(parser)
