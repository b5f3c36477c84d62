"""`--tune KEY=VALUE`: the options that are no flags of their own, read from texts; and the table of these and of the
flags that few need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.spelling import did_you_mean
from paddock.options.settings import Setting

LISTED = "paddock COMMAND --help-tuning lists the keys"
WIDEST_DEFAULT = 12  # longer ones are shown with the meaning


def tuned(texts: Iterable[str], allowed: Sequence[Setting]) -> dict[str, object]:
    """The options that texts `KEY=VALUE` set, by their names. Raises `InputError`."""
    by_key = {setting.key: setting for setting in allowed}
    found: dict[str, object] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        setting = by_key.get(key)
        if setting is None:
            raise InputError(Diagnostic(f"--tune {key} is unknown", hint=did_you_mean(key, list(by_key)) or LISTED))
        if not equals or not value:
            hint = f"write --tune {key}={setting.shown_values}"
            raise InputError(Diagnostic(f"--tune {key} needs a value", hint=hint))
        found[setting.name] = setting.read(value)
    return found


def tuning_table(settings: Sequence[Setting], titles: Mapping[str, str]) -> str:
    """Flags that few need and, below them, keys of `--tune`, both by their groups: how each is written, its values, its
    default and its meaning."""
    rows = [(s.group, *_written(s), *_default_and_meaning(s), s.about.tuned) for s in settings]
    parts = [[row for row in rows if row[-1] is tuned] for tuned in (False, True)]
    return "\n".join(
        _table(heading, part, titles) for heading, part in zip(("FLAG", "KEY"), parts, strict=True) if part
    )


_Row = tuple[str, str, str, str, str, bool]


def _table(heading: str, rows: Sequence[_Row], titles: Mapping[str, str]) -> str:
    headings = (heading, "VALUE", "DEFAULT", "MEANING")
    widths = [max(len(row[column]) for row in (*(r[1:5] for r in rows), headings)) for column in range(3)]

    def line(cells: Sequence[str]) -> str:
        return "  " + "  ".join([*(c.ljust(w) for c, w in zip(cells, widths, strict=False)), cells[-1]]) + "\n"

    text = line(headings)
    for group, title in titles.items():
        lines = [line(row[1:5]) for row in rows if row[0] == group]
        text += f"\n{title}:\n" + "".join(lines) if lines else ""
    return text


def _written(setting: Setting) -> tuple[str, str]:
    """How an option is written, and its values."""
    if setting.about.tuned:
        return setting.key, setting.shown_values
    spelling = f"--[no-]{setting.key}" if setting.about.negatable else setting.spelling
    return spelling, "" if setting.plain_type is bool else setting.shown_values


def _default_and_meaning(setting: Setting) -> tuple[str, str]:
    default = setting.shown_default or "-"
    if len(default) <= WIDEST_DEFAULT:
        return default, setting.about.meaning
    return "-", f"{setting.about.meaning} (default: {default})"
