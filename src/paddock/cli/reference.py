"""The page `docs/options.md`, made from the parsers of the commands.

`python -m paddock.cli.reference docs/options.md` writes it; a test fails while it is not up to date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from paddock.cli.arguments import TITLES, Parser, build_parser
from paddock.options.settings import Setting

OPENING = """\
# Options

This page is made from the parsers of the command line: `python -m paddock.cli.reference docs/options.md` writes it.
What the options mean at length is explained in [the search](search.md), [programs with threads](concurrency.md),
[verdicts](verdicts.md), [C programs](c.md), [assertions](assertions.md), [summaries](summaries.md),
[implications](implications.md) and [regions](regions.md).

A file is `.bpl` (Boogie), `.c` or `.i` (C); several files are one program; `-` is standard input (Boogie). The entry
procedure is `--entry` (or `--function`, which says the same), else the one marked `{:entrypoint}`, else `main`. Colour
is used on a terminal only, and not where `NO_COLOR` is set. `paddock check --help` lists the options that most users
choose between, `--help-tuning` those that few need.
"""

TUNING = """
## Tuning

What is left to be chosen are keys of `--tune KEY=VALUE`, which may be repeated. `paddock check --help-tuning` prints
this table, below the flags that few need; other commands have those keys that mean something to them.

"""


def options_page() -> str:
    """The text of the page."""
    _, commands = build_parser()
    check = commands["check"]
    text = f"{OPENING}\n## paddock check\n"
    for group in check._action_groups:
        rows = list(_rows([a for a in group._group_actions if a.dest not in ("help", "files")]))
        if rows:
            text += f"\n### {(group.title or '').capitalize()}\n\n" + _table(("option", "default", "meaning"), rows)
    tuned: Sequence[Setting] = check.get_default("tunable")
    text += TUNING + _table(("of", "key", "values", "default", "meaning"), list(map(_tuning_row, tuned)))
    return text + "".join(_other_command(n, p, check) for n, p in commands.items() if n != "check")


def _other_command(name: str, parser: Parser, check: Parser) -> str:
    """A command other than check: what it has of its own, and which options of check it takes, too."""
    actions = [
        a
        for a in parser._actions
        if not {"--help", "--tune", "--help-tuning"}.intersection(a.option_strings) and a.dest != "files"
    ]
    own = [a for a in actions if not _is_same(a, check._option_string_actions)]
    shared = [f"`{a.option_strings[0]}`" for a in actions if a not in own]
    keys = [f"`{setting.key}`" for setting in parser.get_default("tunable") or ()]
    text = f"\n## paddock {name}\n\n{parser.description}\n"
    if own:
        text += "\n" + _table(("option", "default", "meaning"), list(_rows(own)))
    if shared:
        text += f"\nAs for check: {', '.join(shared)}.\n"
    if keys:
        text += f"\nKeys of `--tune`: {', '.join(keys)}.\n"
    return text


def _is_same(action: argparse.Action, known: dict[str, argparse.Action]) -> bool:
    """Whether check has just this option."""
    other = known.get(action.option_strings[0]) if action.option_strings else None
    return other is not None and (other.help, other.choices) == (action.help, action.choices)


def _rows(actions: Sequence[argparse.Action]) -> Iterator[tuple[str, str, str]]:
    """Each option as it is written, its default and its meaning."""
    for action in actions:
        value = action.metavar if action.nargs != 0 else None
        if action.choices:
            value = "|".join(map(str, action.choices))
        spelled = action.option_strings or [str(action.dest).upper()]
        written = ", ".join(f"`{s} {value}`" if value and action.option_strings else f"`{s}`" for s in spelled)
        meaning, _, default = (action.help or "").partition(" (default: ")
        default = default.removesuffix(")").replace("%(default)s", str(action.default))
        yield written, f"`{default}`" if re.fullmatch(r"[\w,]+", default) else default, meaning


def _tuning_row(setting: Setting) -> tuple[str, ...]:
    default = setting.shown_default
    shown = f"`{default}`" if re.fullmatch(r"[\w,]+", default) else default
    return TITLES[setting.group], f"`{setting.key}`", f"`{setting.shown_values}`", shown, setting.about.meaning


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n".replace("|  |", "| |") for line in lines)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(options_page(), encoding="utf-8")
