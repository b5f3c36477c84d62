"""The arguments of the command line: what each command understands, and what its help says."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from paddock.cli.output import terminal_width, write
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.spelling import did_you_mean
from paddock.options import Options, settings
from paddock.options.settings import Setting, names_in
from paddock.options.tuning import tuned, tuning_table
from paddock.report.registry import formats
from paddock.version import __version__

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")

EXAMPLES = """\
examples:
  paddock check examples/lock_bug.bpl                  find the bug and show how it happens
  paddock check --all-assertions examples/heap.bpl     give every assertion its own verdict
  paddock check --recursion-bound 20 --timeout 60 p.bpl
  paddock check --format json --output result.json p.bpl
  paddock report result.json --format html -o result.html    a page to step through the bug
  paddock suite tests.toml --jobs 4 --results night.tsv --resume
  paddock summaries examples/lock.bpl                  what each procedure and each loop ensures
  paddock check --gamble examples/table.c              try single loops first
  paddock regions examples/table.c                     which loops are where
  paddock implications examples/implications.bpl       which assertions imply which
  paddock transform examples/lock.bpl --pass extract-loops,prune
  paddock check --store .paddock examples/lock.bpl     start from what earlier runs have left
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

REPORT = """\
Nothing is checked again. The page of --format html shows the files of the program as they are now, and says so if they
are not those that were checked. The exit status is 0 if the report was written.
"""

LSP = """\
Documents are checked when they are opened and saved, with the options of a paddock.toml in the folder that the editor
has open. It needs the extra `lsp`: pip install 'paddock[lsp]'.
"""

INIT = """\
The file says what is checked: `paddock suite` checks its tasks, and its default options are also those of `paddock
check` in this folder. Such a file can neither name a command to run nor a file to write.
"""

SUITE = """\
A suite is a TOML file with tables [[task]], a folder, programs, or .yml task definitions of the software-verification
competition. Exit status: 0 if all verdicts are right, 1 if one is wrong or there is a bug where nothing was expected, 2
if a program cannot be read, 3 if a check gave out.
"""

SUMMARIES = """\
Candidates come from the program's assertions and the constants that its variables meet, from --candidates FILE, from
procedures marked {:template} and from constants marked {:existential true}. What is printed holds whenever a procedure
returns; where it may fail, `err` says whether it did. With --from-proofs, assertions are lifted to the entry and proved
first; {:bound R} stands before what holds within that recursion bound only.
"""

DIFF = """\
The old version is proved first. Then each body of the new one is looked at alone, with what the proof needs of its
callees. The exit status is 0 if all do what is needed of them, 1 if not, and 3 if there is no proof to compare with.
"""

STORE = """\
A store has summaries of proofs and runs that violate assertions. Checks believe nothing that they read there: it can be
cleared, shared and damaged without harm. With check, the exit status is 3 if records cannot be read.
"""

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
        key = name.removeprefix("--").removeprefix("no-")
        for setting in self.get_default("tunable") or ():
            if setting.key == key:
                value = "no" if name.startswith("--no-") else setting.shown_values
                refuse(f"unknown option: {name}", f"did you mean --tune {key}={value}?")
        known = [known for known in self._option_string_actions if known.startswith("--")]
        refuse(f"unknown option: {name}", did_you_mean(name, known))

    def _get_formatter(self, prog: str = "") -> argparse.HelpFormatter:
        """argparse itself would load `shutil`, and with it what compresses files, to find the width."""
        make: Callable[..., argparse.HelpFormatter] = self.formatter_class
        return make(prog or self.prog, width=terminal_width() - 2)

    def format_help(self) -> str:
        """The options that most users choose between; `--help-tuning` lists the others. So the usage names none."""
        formatter = self._get_formatter(f"{self.prog} [OPTION ...]")
        formatter.add_usage(self.usage, self._get_positional_actions(), [])
        formatter.add_text(self.description)
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_arguments([a for a in group._group_actions if not getattr(a, "is_rare", False)])
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def _print_message(self, message: str, file: object = None) -> None:
        write(message)


def refuse(message: str, hint: str = "") -> NoReturn:
    """Refuse arguments that make no sense."""
    raise InputError(Diagnostic(message, hint=hint or HELP))


def build_parser(words: Container[str] | None = None) -> tuple[Parser, dict[str, Parser]]:
    """The parser of the whole command line, and that of each command. Of the commands that are not among the words of a
    command line, if there is one, only the names are known."""
    parser = Parser(
        prog="paddock",
        description="A bounded verifier for programs with procedures, loops, recursion and assertions.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"paddock {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    by_name: dict[str, Parser] = {}
    for name, command in COMMANDS.items():
        description = command.help[0].upper() + command.help[1:] + "."
        made = commands.add_parser(
            name, help=command.help, description=description, epilog=command.epilog, allow_abbrev=False
        )
        assert isinstance(made, Parser)
        by_name[name] = made
        if words is None or name in words:
            command.add_arguments(made)
    return parser, by_name


def completes(action: argparse.Action, kind: str) -> None:
    """Say what the shell may complete an argument to: `FILE` or `DIRECTORY`, by shtab's names for them."""
    action.completes = kind  # type: ignore[attr-defined]


def completion(parser: Parser, commands: Mapping[str, Parser], shell: str) -> str:
    """A script that completes commands and options. shtab is loaded here: nothing else needs it."""
    import shtab

    for command in commands.values():
        for action in command._actions:
            if kind := getattr(action, "completes", ""):
                action.complete = getattr(shtab, kind)  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell))


def is_rare(action: argparse.Action) -> None:
    """Say that few need an option, so that `--help` does not list it."""
    action.is_rare = True  # type: ignore[attr-defined]


def _add_files(parser: Parser) -> None:
    files = parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a .bpl, .c or .i file, a compile_commands.json for all C files that it names, or - for standard input",
    )
    completes(files, "FILE")


def _add_output(parser: Parser) -> None:
    completes(parser.add_argument("-o", "--output", metavar="OUT", help="write to a file"), "FILE")


# The titles of the groups of options in the help of a command.
TITLES = {
    "task": "what to check",
    "bounds": "bounds",
    "threads": "programs with threads",
    "search": "how to check",
    "refinement": "variable abstraction",
    "summaries": "summaries",
    "dependence": "implications",
    "regions": "regions",
    "smt": "solver",
    "limits": "limits",
    "boogie": "Boogie programs",
    "c": "C programs",
    "report": "report",
}
# Options that every command has which reads a program.
READING = ("entry", *(name for name, s in settings().items() if s.group in ("boogie", "c")))


def _add_options(parser: Parser, names: Iterable[str]) -> None:
    """The options with these names: flags for those that are flags, `--tune` for the others."""
    wanted = set(names)
    chosen = [setting for name, setting in settings().items() if name in wanted]
    for group, title in TITLES.items():
        flags = [setting for setting in chosen if setting.group == group and not setting.about.tuned]
        if flags:
            add = parser.add_argument_group(title).add_argument
            for setting in flags:
                _add_flag(add, setting)
    tuned = [setting for setting in chosen if setting.about.tuned]
    parser.set_defaults(tunable=tuned)
    add = parser.add_argument_group("tuning").add_argument
    if tuned:
        add(
            "--tune",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="set an option that has no flag of its own; may be repeated",
        )
    if more := [setting for setting in chosen if setting.about.tuned or setting.about.rare]:
        add("--help-tuning", action=HelpTuning, settings=more, help="list the keys of --tune, and flags that few need")


def _add_flag(add: Callable[..., argparse.Action], setting: Setting) -> None:
    """One option as a flag. What is not given is not among the arguments: its default is that of `Options`."""
    about = setting.about
    shown = f" (default: {setting.shown_default})" if setting.shown_default and setting.default is not False else ""
    common: dict[str, Any] = {"dest": setting.name, "default": argparse.SUPPRESS, "help": about.meaning + shown}
    if about.negatable:
        common |= {"action": argparse.BooleanOptionalAction}
    elif setting.plain_type is bool:
        common |= {"action": "store_true"}
    elif about.repeatable:
        common |= {"action": "append", "metavar": about.metavar}
    elif setting.is_names:
        common |= {"type": names_in, "metavar": about.metavar}
    elif about.choices:
        common |= {"choices": about.choices}
    else:
        common |= {"type": setting.plain_type, "metavar": about.metavar}
    made = add(*(about.spellings or (setting.spelling,)), **common)
    if about.metavar in ("FILE", "OUT.c"):
        completes(made, "FILE")
    if about.rare:
        is_rare(made)


class HelpTuning(argparse.Action):
    """Prints the keys of `--tune`, as `--help` prints the flags."""

    def __init__(self, option_strings: Sequence[str], dest: str, settings: Sequence[Setting], help: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, default=argparse.SUPPRESS, help=help)
        self.settings = settings

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        write(tuning_table(self.settings, TITLES))
        parser.exit()


def options_in(args: argparse.Namespace, **others: object) -> Options:
    """The options that are among the arguments of a command."""
    return Options.of(**named_options(args) | others)


def named_options(args: argparse.Namespace) -> dict[str, object]:
    """The options that are among the arguments of a command, by their names."""
    given = {name: getattr(args, name) for name in settings() if hasattr(args, name)}
    chosen = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return chosen | tuned(args.tune if args.tunable else (), args.tunable)


def _add_check_arguments(parser: Parser) -> None:
    _add_files(parser)
    _add_options(parser, settings())
    add = parser.add_argument_group("output").add_argument
    add("--format", choices=formats("check"), default="text", help="form of the report (default: text)")
    completes(add("--output", metavar="FILE", help="write the report to a file"), "FILE")
    add("--show-properties", action="store_true", help="list the assertions with their ids, and check nothing")
    add("--require-proof", action="store_true", help="exit with status 3 unless proved at every bound")
    add("--no-project", action="store_true", help="do not read the options of a paddock.toml in this folder")


def _add_report_arguments(parser: Parser) -> None:
    result = parser.add_argument("result", metavar="RESULT.json", help="what check --format json wrote, or - for stdin")
    completes(result, "FILE")
    forms = tuple(form for form in formats("check") if form != "harness")
    parser.add_argument("--format", choices=forms, default="text", help="form of the report (default: text)")
    _add_output(parser)


def _add_suite_arguments(parser: Parser) -> None:
    suite = parser.add_argument(
        "suite",
        nargs="*",
        default=["paddock.toml"],
        metavar="SUITE",
        help="a .toml or .yml file, a folder or a program (default: paddock.toml)",
    )
    completes(suite, "FILE")
    own = ("jobs", "harness", "dump_smt", "witness", "executor", "ray_address")
    _add_options(parser, [name for name in settings() if name not in own])
    add = parser.add_argument_group("suite").add_argument
    add("--jobs", dest="suite_jobs", type=int, metavar="N", help="check N at a time (default: as many as processors)")
    add("--cpu", type=float, metavar="SECONDS", help="give up a check after this much CPU time")
    completes(add("--results", metavar="FILE", help="keep each result in this table as soon as it is known"), "FILE")
    add("--resume", action="store_true", help="with --results, check only what the table does not have yet")
    completes(add("--compare", metavar="FILE", help="say what differs from the table of an earlier run"), "FILE")
    executors = ("local", "ray")
    add("--executor", dest="suite_executor", choices=executors, default="local", help="where to check (default: local)")
    add("--format", choices=formats("suite"), default="text", help="form of the report (default: text)")
    completes(add("--output", metavar="FILE", help="write the report to a file"), "FILE")


def _add_summaries_arguments(parser: Parser) -> None:
    _add_files(parser)
    proofs = ("all_assertions", "implications", "recursion_bound", "unwind", "constant_loops", "timeout")
    _add_options(parser, (*READING, "goal", "candidates", "houdini_timeout", "solver", "seed", "dump_smt", *proofs))
    add = parser.add_argument
    add(
        "--from-proofs",
        action="store_true",
        help="what proofs need of procedures, instead of what Houdini infers; with --all-assertions, one by one",
    )
    add("--format", choices=formats("summaries"), default="text", help="form of the summaries (default: text)")
    _add_output(parser)


UNWINDING = (*READING, "recursion_bound", "unwind", "constant_loops")


def _add_ussa_arguments(parser: Parser) -> None:
    _add_files(parser)
    _add_options(parser, UNWINDING)
    _add_output(parser)


def _add_diff_arguments(parser: Parser) -> None:
    completes(parser.add_argument("old", metavar="OLD", help="the version before, as for check"), "FILE")
    completes(parser.add_argument("new", metavar="NEW", help="the version after"), "FILE")
    _add_options(parser, (*UNWINDING, "goal", "timeout", "solver", "seed"))
    _add_output(parser)


def _add_implications_arguments(parser: Parser) -> None:
    _add_files(parser)
    detection = ("threshold", "query_timeout", "extended")
    _add_options(parser, (*UNWINDING, *detection, "timeout", "jobs", "solver", "seed", "dump_smt"))
    add = parser.add_argument
    add("--format", choices=formats("implications"), default="text", help="form of the graph (default: text)")
    add("--strongest", action="store_true", help="only the assertions that imply all others")
    add("--of", metavar="ID", help="only what has to do with one assertion, by its id")
    _add_output(parser)


def _add_assertions_arguments(parser: Parser) -> None:
    _add_files(parser)
    _add_options(parser, (*READING, "seed"))
    add = parser.add_argument
    add("--runs", type=int, default=20, metavar="N", help="run on N random inputs (default: %(default)s)")
    inputs = add("--inputs", metavar="FILE", help="run on the whole numbers in each line of this file, too")
    completes(inputs, "FILE")
    completes(add("--dtrace", metavar="FILE", help="take the values in this trace of Daikon, too"), "FILE")
    completes(add("--invariants", metavar="FILE", help="propose the invariants that Daikon printed, too"), "FILE")
    add("--per-point", type=int, default=10, metavar="N", help="at most N assertions at a point (default: %(default)s)")
    _add_output(parser)


def _add_regions_arguments(parser: Parser) -> None:
    _add_files(parser)
    _add_options(parser, READING)
    parser.add_argument("--format", choices=formats("regions"), default="text", help="form of the tree (default: text)")
    _add_output(parser)


def _add_extract_arguments(parser: Parser) -> None:
    _add_files(parser)
    _add_options(parser, READING)
    parser.add_argument("--region", required=True, metavar="R", help="the region, as paddock regions names it")
    choices = ("boogie", "c")
    parser.add_argument("--language", choices=choices, default="boogie", help="what to write (default: boogie)")
    _add_output(parser)


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
    _add_options(parser, [name for name, s in settings().items() if s.group != "report"])
    _add_output(parser)


def _add_init_arguments(parser: Parser) -> None:
    folder = parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="(default: this one)")
    completes(folder, "DIRECTORY")


def _add_lsp_arguments(parser: Parser) -> None:
    parser.add_argument("--stdio", action="store_true", help="which is what it does anyway")


def _add_store_arguments(parser: Parser) -> None:
    parser.add_argument("action", choices=("show", "clear", "check"), help="what to do")
    completes(parser.add_argument("folder", metavar="DIR", help="the folder of --store"), "DIRECTORY")


def _add_completion_arguments(parser: Parser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell")


class Command(NamedTuple):
    """A command: what it does, what adds its arguments to a parser, and what its help ends with."""

    help: str
    add_arguments: Callable[[Parser], None] = lambda parser: None
    epilog: str = ""


COMMANDS = {
    "check": Command("ask whether an assertion of a program can fail", _add_check_arguments, IDS),
    "report": Command(
        "show the result of a check that was written as JSON in another form", _add_report_arguments, REPORT
    ),
    "lsp": Command(
        "serve an editor over standard input and output, by the language server protocol", _add_lsp_arguments, LSP
    ),
    "init": Command("write a paddock.toml for the programs in a folder", _add_init_arguments, INIT),
    "suite": Command(
        "check many programs, each within limits, and compare what comes out", _add_suite_arguments, SUITE
    ),
    "summaries": Command("print what procedures are found to ensure, as Boogie", _add_summaries_arguments, SUMMARIES),
    "implications": Command("show which assertions imply which", _add_implications_arguments, IMPLICATIONS),
    "assertions": Command(
        "list assertions, and propose some from running a program", _add_assertions_arguments, ASSERTIONS
    ),
    "ussa": Command("print a program unwound up to its bounds, as guarded instructions", _add_ussa_arguments),
    "regions": Command("print which loops and procedures are in which others", _add_regions_arguments, REGIONS),
    "extract": Command("print one region of a program as a program of its own", _add_extract_arguments, REGIONS),
    "transform": Command("print a program after some passes, as Boogie", _add_transform_arguments),
    "passes": Command("list the passes"),
    "diff": Command(
        "say which procedures of a new version break what the proof of an old one needs", _add_diff_arguments, DIFF
    ),
    "store": Command("show, clear or check what --store keeps", _add_store_arguments, STORE),
    "completion": Command("print a completion script for a shell", _add_completion_arguments),
}
