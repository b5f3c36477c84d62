"""Options that are no flags: read from `KEY=VALUE`, and shown as a table."""

from __future__ import annotations

import pytest

from paddock.cli.arguments import TITLES
from paddock.ir.origin import InputError
from paddock.options import Options, settings
from paddock.options.tuning import tuned, tuning_table

TUNABLE = [setting for setting in settings().values() if setting.about.tuned]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("share-early=no", "share_early", False),
        ("constant-loops=Yes", "constant_loops", True),
        ("traces=3", "traces", 3),
        ("houdini-timeout=0.5", "houdini_timeout", 0.5),
        ("track=x, y", "track", ("x", "y")),
        ("gamble-facts=none", "gamble_facts", ()),
        ("dump-smt=a=b", "dump_smt", "a=b"),
    ],
)
def test_values_are_read_by_the_type_of_the_option(text: str, name: str, value: object) -> None:
    assert tuned([text], TUNABLE) == {name: value}


def test_the_last_value_counts() -> None:
    assert tuned(["seed=1", "seed=2"], TUNABLE) == {"seed": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("trace=3", "error: --tune trace is unknown\n  did you mean traces?"),
        ("zzz=3", "error: --tune zzz is unknown\n  paddock COMMAND --help-tuning lists the keys"),
        ("engine=dag", "error: --tune engine is unknown\n  paddock COMMAND --help-tuning lists the keys"),
        ("traces", "error: --tune traces needs a value\n  write --tune traces=N"),
        ("share-early=", "error: --tune share-early needs a value\n  write --tune share-early=yes|no"),
        ("share-early=perhaps", "error: --tune share-early must be yes or no, not perhaps"),
        ("traces=many", "error: --tune traces must be a whole number, not many"),
        ("query-timeout=soon", "error: --tune query-timeout must be a number, not soon"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        tuned([text], TUNABLE)
    assert str(caught.value) == message


def test_every_key_is_in_the_table_with_its_default() -> None:
    lines = tuning_table(TUNABLE, TITLES).splitlines()
    for setting in TUNABLE:
        line = next(line for line in lines if line.split()[:1] == [setting.key])
        assert setting.about.meaning in line
        assert setting.shown_values in line
        assert setting.shown_default in line


def test_every_default_can_be_written_and_read_back() -> None:
    """But for those that no value stands for."""
    for setting in TUNABLE:
        if setting.default not in (None, ()) and not setting.about.by_default:
            assert setting.read(setting.shown_default) == setting.default


def test_every_option_says_what_it_means_in_one_line() -> None:
    for setting in settings().values():
        assert setting.about.meaning
        assert "\n" not in setting.about.meaning
        assert Options().value(setting.name) == setting.default


def test_help_lists_few_flags() -> None:
    """What most users choose between. The format, the file and the like are no settings, but flags."""
    shown = [setting for setting in settings().values() if not setting.about.tuned and not setting.about.rare]
    assert len(shown) <= 25


def test_flags_that_few_need_are_listed_above_the_keys() -> None:
    rare = [setting for setting in settings().values() if setting.about.rare]
    text = tuning_table([*rare, *TUNABLE], TITLES)
    flags, keys = text.split("\n  KEY ")
    assert flags.startswith("  FLAG ")
    assert all(setting.about.meaning in flags and setting.about.meaning not in keys for setting in rare)
    assert "  --[no-]facts  " in flags
