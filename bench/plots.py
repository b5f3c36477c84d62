"""The plots of the benchmarks, each as SVG and PNG: cactus and scatter plots as in Figs. 13-16 of the DAG-inlining
paper (Lal and Qadeer, PLDI 2015), and growth over a parameter as in its Fig. 3. They need matplotlib, an optional
extra: without it, benchmarks print their tables all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Points = Sequence[tuple[float, float]]

HOW_TO_INSTALL = "no plots, since matplotlib is not installed: pip install '.[plots]', then repeat with --from"

# Okabe and Ito's colours, which people who are colour-blind can tell apart; markers help on paper without colours.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vP*"

SHORT = 500  # times its least value: an axis up to there has room for numbers between powers of ten


def are_possible() -> bool:
    return find_spec("matplotlib") is not None


def cactus(curves: Mapping[str, Sequence[float]], limit: float, stem: Path) -> list[Path]:
    """How many tasks each curve solves within how many CPU seconds a task."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = _new()
    for k, (name, seconds) in enumerate(curves.items()):
        # Sorted, so that the n-th value is the limit at which n tasks are solved.
        solved = sorted(seconds)
        axes.plot(range(1, len(solved) + 1), solved, label=f"{name} ({len(solved)})", **_style(k))
    axes.axhline(limit, color="grey", linewidth=0.8, linestyle="--")
    axes.set(xlabel="tasks solved", ylabel="CPU seconds a task", yscale="log")
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(loc="upper left", bbox_to_anchor=(0, 0.93))
    return _saved(figure, axes, stem=stem)


def bars(counts: Mapping[int, int], x_label: str, y_label: str, stem: Path) -> list[Path]:
    """How often each number was counted."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = _new()
    axes.bar(list(counts), list(counts.values()), color=COLOURS[0])
    axes.set(xlabel=x_label, ylabel=y_label)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    return _saved(figure, axes, stem=stem)


def scatter(
    groups: Mapping[str, Points], x_label: str, y_label: str, limits: tuple[float, float], stem: Path
) -> list[Path]:
    """One dot a task, in CPU seconds; on the dashed lines what ran into a limit."""
    figure, axes = _new(width=5.0)
    seconds = [s for points in groups.values() for point in points for s in point]
    least, most = min([min(limits) / 10, *seconds]) / 1.5, max(limits) * 1.5
    for k, (name, points) in enumerate(groups.items()):
        xs, ys = zip(*points, strict=True) if points else ((), ())
        style = {**_style(k), "linestyle": "none", "markersize": 5, "alpha": 0.8}
        axes.plot(xs, ys, label=f"{name} ({len(points)})", **style)
    for factor, line in ((1, "-"), (10, ":"), (0.1, ":")):
        axes.plot((least, most), (least * factor, most * factor), color="grey", linewidth=0.8, linestyle=line)
    for draw, limit in zip((axes.axvline, axes.axhline), limits, strict=True):
        draw(limit, color="grey", linewidth=0.8, linestyle="--")
    axes.set(xscale="log", yscale="log", xlim=(least, most), ylim=(least, most), aspect="equal")
    axes.set(xlabel=f"{x_label}, CPU seconds", ylabel=f"{y_label}, CPU seconds")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, fontsize="small", frameon=False)
    return _saved(figure, axes, stem=stem)


def growth(panels: Mapping[str, Mapping[str, Points]], x_label: str, stem: Path) -> list[Path]:
    """Panels side by side, one for each quantity that grows, with the same curves in each."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.8 * len(panels), 4.4), layout="constrained")
    drawn = figure.subplots(1, len(panels), squeeze=False)[0]
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    for axes, (y_label, curves) in zip(drawn, panels.items(), strict=True):
        for name, points in curves.items():
            xs, ys = zip(*points, strict=True) if points else ((), ())
            axes.plot(xs, ys, label=name, **_style(names.index(name)))
        axes.set(xlabel=x_label, ylabel=y_label, xscale="log", yscale="log")
        axes.legend()
    return _saved(figure, *drawn, stem=stem)


def _new(width: float = 6.4) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, 4.8), layout="constrained")
    return figure, figure.subplots()


def _style(k: int) -> dict[str, Any]:
    return {
        "color": COLOURS[k % len(COLOURS)],
        "marker": MARKERS[k % len(MARKERS)],
        "markersize": 3.5,
        "linewidth": 1.2,
    }


def _saved(figure: Figure, *drawn: Axes, stem: Path) -> list[Path]:
    """Write a figure; the same figure gives the same files."""
    from matplotlib import rc_context
    from matplotlib.ticker import LogLocator, NullFormatter

    for axes in drawn:
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() == "log":
                least, most = axis.get_view_interval()
                if most < SHORT * least:
                    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
                axis.set_major_formatter("{x:g}")  # 100, not 10²
                axis.set_minor_formatter(NullFormatter())  # there is no room for more numbers
        axes.grid(True, linewidth=0.4, alpha=0.5)
        axes.spines[["top", "right"]].set_visible(False)
    paths = [stem.with_suffix(ending) for ending in (".svg", ".png")]
    with rc_context({"svg.hashsalt": stem.name}):
        figure.savefig(paths[0], metadata={"Date": None})
        figure.savefig(paths[1], dpi=150)
    return paths
