"""Which options say what is asked of a program, and which only how much is done for it and how it is shown."""

from __future__ import annotations

from paddock.options import Options, settings

_HOW = {"limits", "smt", "report"}
_HOW_ALONE = {"store", "interpolation_timeout"}


def asked_by(options: Options) -> dict[str, str]:
    """The options that change meaning, by their names."""
    return {
        name: str(options.value(name))
        for name, setting in settings().items()
        if setting.group not in _HOW and name not in _HOW_ALONE
    }
