"""The room of passes: each pass is a function of the module `paddock.passes`, whatever has been imported before."""

from __future__ import annotations

import paddock.passes
import paddock.passes.facts
from paddock import passes


def test_modules_do_not_hide_the_passes_in_them() -> None:
    for name in passes.__all__:
        found = getattr(paddock.passes, name)
        assert callable(found) or name == "PASSES", name
    assert paddock.passes.facts is passes.facts
    assert passes.facts.__module__ == "paddock.passes.facts"


def test_what_is_not_there_is_an_error() -> None:
    assert not hasattr(passes, "nothing_of_the_kind")
