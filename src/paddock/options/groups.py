"""The options of a check in groups, each option with its default and its meaning in one line.

A group is a frozen record. Whether values make sense, alone and together, is asked when they become `Options`.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.engines.inlining.engines import ENGINES, Engine, with_merge
from paddock.engines.inlining.merging import MERGES, Merge
from paddock.frozen import frozen
from paddock.options.settings import option

AUTO = "auto"  # of engines: which one is up to the driver
GOALS = ("assertion", "return")
COVER = ("branch", "line", "assertion")
CHOICES = ("trace", "core", "both")
REFINEMENTS = ("alg2", "alg1", "storm", "core", "none")
ORDERS = ("forward", "backward", "auto")
GAMBLE_FACTS = ("where", "ranges", "kept", "proved", "houdini")
EXECUTORS = ("local", "ray")
DATA_MODELS = ("lp64", "ilp32")
INTEGERS = ("bits", "math")
MISSING_BODIES = ("havoc", "error")
UNSUPPORTED = ("error", "havoc")
SCHEMES = ("lazy", "rounds")
CHECKS = (
    *("assert", "unreach", "bounds", "pointer", "overflow", "unsigned-overflow", "conversion", "div-by-zero"),
    *("shift", "bit-count", "pointer-overflow", "nan", "float-overflow", "enum-range", "uninitialised", "leak"),
    *("deadlock", "race", "all"),
)


class Group:
    """Options that belong together."""

    __slots__ = ()

    def problems(self) -> Iterator[str]:
        """What is wrong with valid values together."""
        return iter(())


@frozen
class Task(Group):
    """What to ask of a program. A `goal` of None asks for assertions, and falls back to `return` where a program has
    none but marks its end as a goal."""

    entry: str | None = option(
        None,
        "entry procedure or function; its arguments are arbitrary",
        metavar="NAME",
        spellings=("--entry", "--function"),
        by_default="the one marked {:entrypoint}, else main",
    )
    goal: str | None = option(
        None,
        "can an assertion fail, or can the entry procedure return",
        choices=GOALS,
        by_default="assertion",
        rare=True,
    )
    all_assertions: bool = option(False, "a verdict for each assertion; a bug does not end the check")
    independent: bool = option(
        False,
        "with --all-assertions, judge each as if the others were not there, not only where those before it hold",
        rare=True,
    )

    assertion_wrappers: bool = option(
        True, "a call of a function that only asserts its parameter is an assertion at the call", tuned=True
    )
    cover: str | None = option(
        None, "look for inputs that reach each branch, line or assertion, instead of failures", choices=COVER
    )
    vacuity: bool = option(
        False, "where nothing fails, warn of assertions that no execution reaches, by a second check", rare=True
    )
    witness: str | None = option(
        None,
        "of a C program, validate a witness: of a violation or of correctness, YAML 2.0 or GraphML",
        metavar="FILE",
        rare=True,
    )

    properties: tuple[str, ...] = option(
        (),
        "check this assertion alone, by its id (see --show-properties); the others are assumed",
        metavar="ID",
        spellings=("--property",),
        repeatable=True,
    )

    def problems(self) -> Iterator[str]:
        if self.independent and self.properties:
            yield "--property assumes the other assertions, but --independent judges each as if they were not there"
        if self.cover is not None:
            yield from self._not_with_cover()
        if self.vacuity and self.witness is not None:
            yield "--vacuity is about the program, not about a --witness"
        if self.witness is not None and self.goal == "return":
            yield "--witness is about assertions, not about --goal return"
        if self.entry == "":
            yield "--entry must name a procedure"
        if self.all_assertions and self.goal == "return":
            yield "--all-assertions asks about assertions, not about --goal return"
        if self.independent and not self.all_assertions:
            yield "--independent is about the verdicts of single assertions: say --all-assertions, too"

    def _not_with_cover(self) -> Iterator[str]:
        """What makes no sense where goals are to be reached."""
        for name, is_set in (
            ("--goal return", self.goal == "return"),
            ("--all-assertions", self.all_assertions),
            ("--independent", self.independent),
            ("--vacuity", self.vacuity),
            ("--witness", self.witness is not None),
        ):
            if is_set:
                yield f"--cover {self.cover} asks what can be reached, not what can fail: it does not go with {name}"

    @property
    def judges_each(self) -> bool:
        """Whether the search goes on behind the first assertion that can fail, or goal that is reached."""
        return self.all_assertions or self.cover is not None


@frozen
class Bounds(Group):
    """How deep to look. `unwind`, if given, takes the place of `recursion_bound` for loops."""

    recursion_bound: int = option(8, "at most R activations of a procedure at once", metavar="R", least=1)
    unwind: int | None = option(
        None, "at most N complete iterations of a loop", metavar="N", by_default="R - 1", least=0
    )
    unwindset: tuple[str, ...] = option(
        (),
        "at most N complete iterations of this loop: by its place, its label or as FUNCTION.K, the K-th there from 0",
        metavar="LOOP:N,...",
        rare=True,
    )
    constant_loops: bool = option(
        True, "without --unwind, let loops with a constant number of iterations run to their end", tuned=True
    )
    unwinding_assertions: bool = option(
        False, "a loop that may complete more iterations, or recursion that may be deeper, is a violation", rare=True
    )

    def problems(self) -> Iterator[str]:
        for entry in self.unwindset:
            loop, _, number = entry.rpartition(":")
            if not loop or not number.isdecimal():
                yield f"--unwindset takes LOOP:N, as in main.0:5 or file.c:12:5, not '{entry}'"
        if self.unwindset and self.unwinding_assertions:
            yield "--unwinding-assertions counts iterations of all loops alike: it does not go with --unwindset"

    @property
    def completes_constant_loops(self) -> bool:
        """Whether loops with a constant number of iterations run to their end, whatever the bound for others."""
        return self.constant_loops and self.unwind is None and not self.unwinding_assertions

    @property
    def iterations(self) -> int:
        """How many iterations of a loop may be completed."""
        return self.loop_bound - 1

    @property
    def loop_bound(self) -> int:
        """How many activations of one loop may be on the stack: one more than its complete iterations."""
        return self.recursion_bound if self.unwind is None else self.unwind + 1


@frozen
class Threads(Group):
    """Which schedules of a program with threads to look at."""

    contexts: int = option(2, "of a program with threads, at most K contexts a thread", metavar="K", least=1)
    preemptive: bool | None = option(
        None,
        "switch threads before each access to a shared global",
        negatable=True,
        by_default="if there is no yield",
        rare=True,
    )
    scheme: str = option(
        "lazy",
        "of the engine symbolic: threads take turns as they are scheduled, or each is run through all its rounds",
        choices=SCHEMES,
        tuned=True,
    )


@frozen
class Search(Group):
    """How to search. Python may give an engine or a merging strategy as an object instead of a name."""

    engine: str | Engine = option(
        AUTO, "search engine", choices=(AUTO, *ENGINES), by_default="auto: dag; for C, symbolic first"
    )
    strategy: str = option(
        AUTO,
        "auto: several ways to search take turns, if no option says how; single: the engine alone",
        choices=(AUTO, "single"),
        rare=True,
    )
    merge: str | Merge = option("first", "merging strategy of dag and alternating", choices=tuple(MERGES), rare=True)
    deep_asserts: bool | None = option(
        None,
        "lift assertions to the entry procedure",
        negatable=True,
        by_default="yes, unless --engine alternating or --implications",
        rare=True,
    )
    facts: bool | None = option(
        None,
        "find constants, intervals and equalities first",
        negatable=True,
        by_default="yes, unless the program comes with summaries",
        rare=True,
    )
    choose: str | None = option(
        None,
        "what to inline: calls on a trace, in the core of why there is no bug without them, or at first both",
        choices=CHOICES,
        tuned=True,
        by_default="core in C programs, else both if assertions are lifted, else trace",
    )
    traces: int | None = option(
        None,
        "inline the calls on up to N traces at a time",
        tuned=True,
        least=1,
        by_default="2 if traces alone say what to inline, else 1",
    )
    data_disjointness: bool = option(
        False, "let calls under contradicting conditions share an instance, too", tuned=True
    )
    share_early: bool = option(True, "let calls share an instance as soon as there is one, wanted or not", tuned=True)
    typestates: bool = option(True, "when a search takes long, simulate the values of globals instead", tuned=True)

    @property
    def search_engine(self) -> Engine:
        """The engine, with the merging strategy if it takes one."""
        if not isinstance(self.engine, str):
            return self.engine
        return with_merge(
            ENGINES["dag" if self.engine == AUTO else self.engine],
            MERGES[self.merge] if isinstance(self.merge, str) else self.merge,
        )

    def problems(self) -> Iterator[str]:
        if self.traces is not None and self.traces > 1 and self.choose == "core":
            yield f"--tune traces={self.traces} makes no sense: --tune choose=core asks for no trace"


@frozen
class Refinement(Group):
    """Variable abstraction: `refine` says how to find the globals to track, if not all are."""

    refine: str = option("none", "variable abstraction", choices=REFINEMENTS)
    track: tuple[str, ...] = option(
        (), "with --refine, the globals to track from the start", tuned=True, by_default="those marked {:track}"
    )

    def problems(self) -> Iterator[str]:
        if not all(self.track):
            yield "--tune track must name globals, separated by commas"
        if self.track and self.refine == "none":
            yield "--tune track says where refinement starts, but --refine none tracks all globals"


@frozen
class Summaries(Group):
    """Summaries that Houdini infers before the search, and those that are kept from run to run."""

    houdini: bool = option(False, "infer summaries", negatable=True, by_default="no")
    candidates: str | None = option(
        None, "try these contracts, too: requires, ensures and templates", metavar="FILE", rare=True
    )
    houdini_timeout: float | None = option(
        60.0, "keep what is proved after this time, or after half of the time that is left", tuned=True
    )
    store: str | None = option(
        None, "keep summaries of proofs and runs of bugs in this folder, and start from what is there", metavar="DIR"
    )
    reuse_summaries: bool = option(
        False,
        "check assertions one by one (--all-assertions, --implications), each with the summaries of the proofs before",
        tuned=True,
    )
    interpolation_effort: float | None = option(
        60.0,
        "with --store, look for summaries of a proof with so many seconds of work, as the solver counts it",
        tuned=True,
    )

    def problems(self) -> Iterator[str]:
        if self.candidates is not None and not self.houdini:
            yield "--candidates is for summaries, which only --houdini infers"
        if self.store == "":
            yield "--store must name a folder"


@frozen
class Dependence(Group):
    """How to use which assertions imply which, and how to look for that (assertion-implications paper)."""

    implications: bool = option(False, "with --all-assertions, check them one by one, but not those that others imply")
    order: str = option(
        "auto", "from the strongest, from the weakest, or by what is seen so far", choices=ORDERS, tuned=True
    )
    threshold: int = option(
        100, "no implications between assertions with more than N instructions between", tuned=True, least=1
    )
    query_timeout: float = option(1.0, "give up on a single implication after this time", tuned=True)
    extended: bool | None = option(
        None,
        "implications also by equalities from before, and by what comes later",
        tuned=True,
        by_default="not for check",
    )

    def problems(self) -> Iterator[str]:
        if self.implications:
            return
        for name in ("order", "threshold", "query_timeout", "extended"):
            if getattr(self, name) != getattr(Dependence(), name):
                yield f"--tune {name.replace('_', '-')} is for implications: say --implications, too"


@frozen
class Regions(Group):
    """Proofs of assertions in single loops and procedures (gambling paper)."""

    gamble: bool = option(
        False, "try each assertion in the loops and procedures around it first, without what comes before"
    )
    backend: str = option(
        "paddock", "who verifies regions: paddock, cbmc, boogie, ultimate, or a command", metavar="NAME", rare=True
    )
    gamble_timeout: float | None = option(
        60.0,
        "go on to the region around after this time, or after a quarter of the time that is left",
        tuned=True,
    )
    gamble_facts: tuple[str, ...] = option(
        GAMBLE_FACTS,
        f"what to look for that holds where regions start: {', '.join(GAMBLE_FACTS)}, or none",
        choices=GAMBLE_FACTS,
        tuned=True,
        by_default="all",
    )
    executor: str = option(
        "local", "where regions are verified: in processes here, or on a Ray cluster", choices=EXECUTORS, rare=True
    )
    ray_address: str | None = option(
        None, "of a cluster that runs already", tuned=True, metavar="ADDRESS", by_default="a new one on this machine"
    )

    def problems(self) -> Iterator[str]:
        if self.ray_address is not None and self.executor != "ray":
            yield "--tune ray-address is for --executor ray"
        if not self.backend.strip():
            yield "--backend must name a verifier or a command"
        elif self.backend != "paddock" and not self.gamble:
            yield f"--backend {self.backend} is for regions, which only --gamble tries"


@frozen
class Smt(Group):
    """The solver that answers the queries."""

    solver: str = option(
        "auto",
        "z3, cvc5, bitwuzla, or a command that speaks SMT-LIB 2",
        metavar="SOLVER",
        by_default="auto: z3; for the engine symbolic bitwuzla where it can",
    )
    seed: int = option(0, "the seed of all that is random: a run can be repeated", tuned=True, least=0)
    dump_smt: str | None = option(
        None, "write every query of the solver to a file in this folder", tuned=True, metavar="FOLDER"
    )

    def problems(self) -> Iterator[str]:
        if not self.solver.strip():
            yield "--solver must name a solver or a command"


@frozen
class Limits(Group):
    """When to give up, and how much of the machine to use."""

    timeout: float | None = option(None, "give up after this time", metavar="SECONDS")
    memory: int | None = option(None, "give up beyond this much memory", metavar="MB", least=1)
    jobs: int | None = option(
        None,
        "search in N ways side by side; with --gamble, verify N regions at a time; with --implications, look for them "
        "in N processes",
        metavar="N",
        least=1,
        by_default="1; for regions, as many as processors",
    )


@frozen
class Boogie(Group):
    """How Boogie programs are read."""

    check_modifies: bool = option(
        False,
        "refuse procedures that change more than their modifies clauses say, instead of completing the clauses",
        rare=True,
    )


@frozen
class C(Group):
    """How C programs are read, and what must hold in them."""

    checks: tuple[str, ...] = option(
        ("assert",), f"what must hold: {', '.join(CHECKS)}", metavar="NAME[,NAME...]", choices=CHECKS
    )
    include_folders: tuple[str, ...] = option(
        (), "look for headers in this folder, too", metavar="DIR", spellings=("-I",), repeatable=True
    )
    definitions: tuple[str, ...] = option(
        (), "define a macro; in Boogie, a name for #if", metavar="NAME[=VALUE]", spellings=("-D",), repeatable=True
    )
    compile_commands: str | None = option(
        None, "a compile_commands.json with options for the files", metavar="FILE", rare=True
    )
    data_model: str = option("lp64", "sizes of types", choices=DATA_MODELS, rare=True)
    included_files: tuple[str, ...] = option((), "include these files first", tuned=True, metavar="FILE,...")
    std: str = option("gnu11", "the standard of C, by GCC's names", tuned=True, metavar="NAME")
    integers: str = option("bits", "bit-precise integers, or those of mathematics", choices=INTEGERS, tuned=True)
    missing_bodies: str = option(
        "havoc", "functions without a body do anything, or are an error", choices=MISSING_BODIES, tuned=True
    )
    unsupported: str = option(
        "error", "what is not supported is an error, or may do anything", choices=UNSUPPORTED, tuned=True
    )
    malloc_may_fail: bool = option(False, "malloc and its like may return a null pointer", rare=True)
    nondet_static: bool = option(
        False, "objects with static lifetime that are not const have any value at first", rare=True
    )
    error_labels: tuple[str, ...] = option(
        (),
        "that this label is reached is an error",
        metavar="LABEL",
        spellings=("--error-label",),
        repeatable=True,
        rare=True,
    )


@frozen
class Report(Group):
    """What to say of the result, besides the verdict."""

    harness: str | None = option(None, "of a bug in a C program, write C code that makes it happen", metavar="OUT.c")
    explain: bool = option(False, "say what the verdict rests on and which lines the search looked at")
    verbose: bool = option(
        False,
        "list all assertions that cannot fail, and say what was inferred of the program: its modifies clauses",
        spellings=("-v", "--verbose"),
    )
