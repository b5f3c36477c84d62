"""`--tune KEY=VALUE`: the options that are no flags of their own, read from texts and shown as a table."""

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
    """The keys of `--tune` by their groups: key, values, default, meaning."""
    rows = [(s.group, s.key, s.shown_values, *_default_and_meaning(s)) for s in settings]
    widths = [max(len(row[column]) for row in (*rows, HEADINGS)) for column in range(1, 4)]

    def line(cells: Sequence[str]) -> str:
        return "  " + "  ".join([*(c.ljust(w) for c, w in zip(cells, widths, strict=False)), cells[-1]]) + "\n"

    text = line(HEADINGS[1:])
    for group, title in titles.items():
        lines = [line(row[1:]) for row in rows if row[0] == group]
        text += f"\n{title}:\n" + "".join(lines) if lines else ""
    return text


HEADINGS = ("", "KEY", "VALUE", "DEFAULT", "MEANING")


def _default_and_meaning(setting: Setting) -> tuple[str, str]:
    default = setting.shown_default or "-"
    if len(default) <= WIDEST_DEFAULT:
        return default, setting.about.meaning
    return "-", f"{setting.about.meaning} (default: {default})"
