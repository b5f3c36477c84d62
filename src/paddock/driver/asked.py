"""Which options say what is asked of a program, and which only how much is done for it and how it is shown."""

from __future__ import annotations

from paddock.options import Options, settings

_HOW = {"limits", "smt", "report"}
_HOW_ALONE = {"store", "interpolation_effort"}
_HOW_DEEP = {"recursion_bound", "unwind"}


def asked_by(options: Options, at_any_bound: bool = False) -> dict[str, str]:
    """The options that change meaning, by their names; those that say how deep to look may be left out."""
    left_out = _HOW_ALONE | _HOW_DEEP if at_any_bound else _HOW_ALONE
    return {
        name: str(options.value(name))
        for name, setting in settings().items()
        if setting.group not in _HOW and name not in left_out
    }
