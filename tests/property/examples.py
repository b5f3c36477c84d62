"""How many examples a property gets: a few by default, many with --slow."""

from __future__ import annotations

from hypothesis import settings


def examples(few: int, many: int) -> settings:
    return settings(max_examples=many if settings.get_current_profile_name() == "slow" else few)
