"""The figures and tables of the papers, each with the program that measures it, on what data, and how that differs.

`python -m bench NAME` runs one. A figure has two settings: `full` measures what `docs/evaluation/` reports, and needs
the data that it names; `fast` is the same program on a few small inputs that it writes itself, and shows that it works.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
SDV, QICC = SHARED / "sdv", SHARED / "qicc"

RETURNS = "procedure {:entrypoint} main() { call P(); } procedure P() { }\n"
NEVER_RETURNS = "procedure {:entrypoint} main() { call P(); } procedure P() { assume false; }\n"
FAILS = "procedure main(x: int) { call P(x); } procedure P(x: int) { assert x > 0; }\n"
IMPLIED = """\
int nondet(void);
int main(void) {
    int i = 0, s = 0, n = nondet();
    if (n < 0 || n > 2) return 0;
    while (i < n) { s += 2; i++; }
    return s;
}
"""
IN_LOOP = """\
#include <assert.h>
int nondet(void);
int main(void) {
    int n = nondet();
    for (int i = 0; i < n; i++) { int k = i % 4; assert(k < 4); }
    return 0;
}
"""
# What the fast setting writes: folders of programs.
SMALL = {
    "tasks/verdicts.tsv": "category\tfile\texpected\tcbmc_unwind10\tcbmc_cpu_s\nssh\tssh/p.c\tbug\tright\t0.1\n",
    "tasks/ssh/p.c": "void reach_error(void) {}\nint main(void) { reach_error(); }\n",
    "drivers/verdicts.tsv": "file\texpected\na.bpl\tbug\nb.bpl\tsafe\n",
    "drivers/a.bpl": RETURNS,
    "drivers/b.bpl": NEVER_RETURNS,
    "deep/verdicts.tsv": "file\texpected\np.bpl\tbug\n",
    "deep/p.bpl": FAILS,
    "implied/p.c": IMPLIED,
    "implied/bounded.c": IN_LOOP,
    "bases/one.knowledge": "int x = 1;\n",
    "bases/one.assert": '__CPROVER_assert(x == 1, "postcondition");\n',
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a paper: the program under `bench/`, its arguments in both settings, and what to know of it. A `{}`
    in a fast argument is the folder of the small inputs."""

    name: str
    what: str
    program: str
    full: tuple[str, ...]
    fast: tuple[str, ...]
    differs: str
    needs: Path | None = None  # the data of the full setting


def _config(name: str, options: str) -> tuple[str, str]:
    return "--config", f"{name}={options}"


_EAGER = tuple(
    word
    for bound in (1, 2, 3)
    for engine in ("eager", "stratified")
    for word in _config(f"{engine}-{bound}", f"--engine {engine} --recursion-bound {bound}")
)
_DRIVERS = "57 tasks of the Static Driver Verifier at recursion bound 1, of the thousands that the paper has"

_TASKS = "ssh ssh-simplified ntdrivers ntdrivers-simplified".split()


def _buggy() -> tuple[str, ...]:
    """The names of the drivers that are known to have a bug."""
    table = SDV / "verdicts.tsv"
    rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()] if table.exists() else []
    return tuple(row[0] for row in rows if "bug" in row[1:])


FIGURES = [
    Figure(
        "dag-3",
        "DAG inlining, Fig. 3: how VC size and time grow on the program of Fig. 2",
        "fig3.py",
        ("--most", "1000"),
        ("--most", "2", "--limit", "20"),
        "the same program; CPU time on this machine; CBMC where it is installed",
    ),
    Figure(
        "dag-12",
        "DAG inlining, Figs. 12 to 16: the drivers, in aggregate, as scatter plots and as cactus plots",
        "sdv.py",
        (str(SDV), "--inv", "both"),
        ("{}/drivers", "--limit", "20", "--inv", "both"),
        _DRIVERS + "; 60 CPU seconds instead of 2000",
        SDV,
    ),
    Figure(
        "dag-17",
        "DAG inlining, Figs. 4 and 17: instances of each merging strategy when everything is inlined",
        "merging.py",
        tuple(map(str, sorted(SDV.glob("*.bpl")))),
        (str(ROOT / "examples" / "fig2.bpl"), "--seeds", "1"),
        _DRIVERS,
        SDV,
    ),
    Figure(
        "corral-6",
        "Corral, Figs. 6 and 8: drivers with variable abstraction, without and with Houdini's summaries",
        "sdv.py",
        (
            str(SDV),
            *_config("stratified", "--engine stratified"),
            *_config("alg2", "--engine stratified --refine alg2"),
            *_config("alg2+houdini", "--engine stratified --refine alg2 --houdini"),
        ),
        ("{}/drivers", "--limit", "20", *_config("alg2+houdini", "--engine stratified --refine alg2 --houdini")),
        _DRIVERS + "; there is no second tool beside",
        SDV,
    ),
    Figure(
        "corral-7",
        "Corral, Fig. 7: drivers with a bug, Corral's search against another one",
        "sdv.py",
        (
            str(SDV),
            *(word for name in _buggy() for word in ("--files", name)),
            *_config("corral", "--engine stratified --refine alg2"),
            *_config("dag", "--engine dag"),
        ),
        ("{}/drivers", "--files", "a.bpl", "--limit", "20", *_config("dag", "--engine dag")),
        "those of the 57 tasks of the Static Driver Verifier that have a bug; DAG inlining instead of Yogi",
        SDV,
    ),
    Figure(
        "corral-9",
        "Corral, Fig. 9: refinement algorithms on spurious paths",
        "refinement.py",
        (),
        ("--sizes", "10", "--seeds", "1", "--repeat", "1"),
        "generated drivers of 50 to 500 globals instead of Windows drivers",
    ),
    Figure(
        "corral-10",
        "Corral, Fig. 10: static against stratified inlining at several recursion bounds",
        "sdv.py",
        (str(SDV), *_EAGER),
        ("{}/drivers", "--limit", "20", *_EAGER[:4]),
        _DRIVERS,
        SDV,
    ),
    Figure(
        "corral-svcomp",
        "Corral, §4.3: tasks of the software-verification competition, at most 10 iterations",
        "svcomp.py",
        (str(SHARED / "svcomp"), *(word for name in _TASKS for word in ("--category", name))),
        ("{}/tasks", "--limit", "20"),
        "the tasks of these folders at hand, of 45 that the paper has; CBMC's times beside, where they are known",
        SHARED / "svcomp",
    ),
    Figure(
        "deep-1",
        "Deep assertions, Fig. 1 and §III: how forward search grows with the depth of an assertion",
        "fig1.py",
        (),
        ("--most", "1", "--limit", "20"),
        "the paper argues this, and measures nothing",
    ),
    Figure(
        "deep-6",
        "Deep assertions, Figs. 6 and 7: how deep assertions are, and the bugs that are found",
        "depths.py",
        (),
        ("{}/deep", "--largest", "0", "--limit", "60"),
        "layered drivers that are generated instead of nine Windows drivers",
    ),
    Figure(
        "deep-11",
        "Deep assertions, Figs. 8 to 11: what lifting assertions, merging and summaries are worth",
        "ablation.py",
        (),
        ("{}/deep", "--largest", "0", "--only", "SI,SI+DA,DI+DA", "--limit", "20"),
        "layered drivers that are generated, as the tasks at hand have no assertions to lift; 30 CPU seconds, not 2000",
    ),
    Figure(
        "deep-12",
        "Deep assertions, Fig. 12: concurrent programs, without and with lifted assertions",
        "threads.py",
        (),
        ("--most", "1", "--limit", "20"),
        "one driver with threads that grows, instead of a set of drivers",
    ),
    Figure(
        "implications-1",
        "Assertion implications, Table 1: many assertions with and without implications",
        "implications.py",
        (),
        ("{}/implied/p.c", "--per-point", "3"),
        "seven tasks of the software-verification competition; assertions are proposed from runs, not by Daikon",
        SHARED / "svcomp",
    ),
    Figure(
        "implications-2",
        "Assertion implications, Table 2: sizes of summaries, with and without implications",
        "summaries.py",
        (
            "--table-2",
            str(ROOT / "tests" / "golden" / "summaries" / "example_5.bpl"),
            *(str(ROOT / "examples" / f"{name}.bpl") for name in ("sum", "recursive", "heap")),
            "--limit",
            "60",
        ),
        ("--table-2", str(ROOT / "examples" / "lock.bpl"), "--limit", "60"),
        "the paper's Example 5 and programs of `examples/`, as its others are not at hand; sizes of our summaries",
    ),
    Figure(
        "qicc-1",
        "Gambling on regions, Table 1 and Fig. 8: what it gains and costs, by the structure of loops",
        "regions.py",
        (str(QICC),),
        ("{}/bases", "--limit", "20", "--structures", "Single 1", "--every", "3"),
        "the paper's base programs; Paddock instead of CBMC as the verifier of regions",
        QICC,
    ),
    Figure(
        "qicc-2",
        "Gambling on regions, Table 2 and Fig. 9: another verifier as back end",
        "verifiers.py",
        (str(QICC), "--limit", "6"),
        ("{}/bases", "--limit", "60", "--structures", "Single 1"),
        "CBMC and Boogie, where they are installed, instead of Ultimate Automizer; loops of 10 iterations",
        QICC,
    ),
    Figure(
        "qicc-busybox",
        "Gambling on regions, §4.5: bounds of arrays in deeply nested loops",
        "case_study.py",
        (),
        ("{}/implied/bounded.c", "--limit", "60"),
        "`examples/field.c`, which computes with numbers of the same field, instead of busybox's `tls_fe.c`",
    ),
]


def fast_arguments(figure: Figure, folder: Path) -> list[str]:
    """The arguments of the fast setting; its small inputs are written to a folder."""
    for name, text in SMALL.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [word.format(folder) for word in figure.fast]
