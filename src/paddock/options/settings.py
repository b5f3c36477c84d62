"""A single option: how it is declared in a group, which values it takes, and how a user spells it.

An option is a field of a group (`groups.py`) that is declared with `option`. Those that most users choose between are
flags that `--help` lists; what few need is a flag that only `--help-tuning` lists, or a key of `--tune`. The parser,
its help, the messages and the page `docs/options.md` are all made from these declarations.
"""

from __future__ import annotations

import math
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from paddock.frozen import Field, field, fields, frozen
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.spelling import did_you_mean

YES, NO = ("yes", "true", "on"), ("no", "false", "off")


@frozen
class About:
    """What is known of an option besides its name, type and default."""

    meaning: str
    choices: tuple[str, ...] = ()
    metavar: str = ""  # what stands for the value in help
    spellings: tuple[str, ...] = ()  # on the command line, if not just `--name`
    by_default: str = ""  # its default in words, where the value itself does not show it
    least: int | None = None
    tuned: bool = False  # a key of `--tune` instead of a flag
    rare: bool = False  # a flag that few need: `--help-tuning` lists it, `--help` does not
    negatable: bool = False  # the flag can be taken back by `--no-name`
    repeatable: bool = False  # the flag may be given several times, instead of names with commas between


def option(default: object, meaning: str, **about: Any) -> Any:
    """A field of a group, with what there is to know about it."""
    return field(default=default, metadata={"about": About(meaning, **about)})


@frozen
class Setting:
    """An option as it is declared in its group."""

    group: str
    name: str
    type: object
    default: object
    about: About

    @property
    def key(self) -> str:
        """How `--tune` spells it."""
        return self.name.replace("_", "-")

    @property
    def spelling(self) -> str:
        """How messages name it: as the command line does."""
        if self.about.tuned:
            return f"--tune {self.key}"
        return self.about.spellings[0] if self.about.spellings else f"--{self.key}"

    @property
    def plain_type(self) -> object:
        """The type of its values, but for None and for objects that only Python can give."""
        return get_args(self.type)[0] if isinstance(self.type, UnionType) else self.type

    @property
    def is_names(self) -> bool:
        return get_origin(self.plain_type) is tuple

    @property
    def shown_default(self) -> str:
        """Its default, as a user would write it; empty if there is none."""
        return self.about.by_default or ("" if self.default in (None, ()) else written(self.default))

    @property
    def shown_values(self) -> str:
        """Which values it takes, in a word or two."""
        about = self.about
        if self.is_names or not about.choices:
            words = {int: "N", float: "SECONDS", str: "TEXT", bool: "yes|no"}
            return about.metavar or ("NAME,..." if self.is_names else words[self.plain_type])  # type: ignore[index]
        return "|".join(about.choices)

    def read(self, text: str) -> object:
        """The value that a text means. Raises `InputError`."""
        kind = self.plain_type
        if self.is_names:
            return () if text == "none" else names_in(text)
        try:
            if kind is bool:
                return {**dict.fromkeys(YES, True), **dict.fromkeys(NO, False)}[text.lower()]
            return kind(text)  # type: ignore[operator]
        except (KeyError, ValueError):
            wanted = "yes or no" if kind is bool else described(kind)
            raise InputError(f"{self.spelling} must be {wanted}, not {text}") from None

    def problem(self, value: object) -> Diagnostic | None:
        """What is wrong with a value of the right type, on its own."""
        about = self.about
        if about.choices:
            for word in value if isinstance(value, tuple) else (value,):
                if isinstance(word, str) and word not in about.choices:
                    given = f"{self.spelling}{'=' if about.tuned else ' '}{word}"
                    message = f"{given} is unknown: choose from {', '.join(about.choices)}"
                    return Diagnostic(message, hint=did_you_mean(word, list(about.choices)))
        if about.least is not None and isinstance(value, int) and value < about.least:
            unit = " megabyte" if about.metavar == "MB" else ""
            return Diagnostic(f"{self.spelling} must be at least {about.least}{unit}, not {value}")
        if self.plain_type is float and isinstance(value, int | float) and not 0 < value < math.inf:
            return Diagnostic(f"{self.spelling} must be a number of seconds above 0, not {value:g}")
        return None

    def type_problem(self, value: object) -> Diagnostic | None:
        """What is wrong with the type of a value."""
        if is_of(value, self.type):
            return None
        return Diagnostic(f"{self.spelling} must be {described(self.plain_type)}, not {value!r}")


def settings_in(group: str, declared: type) -> list[Setting]:
    """The options that a group declares."""
    types = get_type_hints(declared)
    found: tuple[Field[Any], ...] = fields(declared)
    return [Setting(group, f.name, types[f.name], f.default, f.metadata["about"]) for f in found]


def is_of(value: object, type_: object) -> bool:
    """Whether a value is of an option's type: a class, a tuple of texts, or one of several types."""
    if isinstance(type_, UnionType):
        return any(is_of(value, one) for one in get_args(type_))
    if get_origin(type_) is tuple:
        return isinstance(value, tuple) and all(isinstance(v, str) for v in value)
    if type_ is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, type_) and (type_ is bool or not isinstance(value, bool))  # type: ignore[arg-type]


def described(type_: object) -> str:
    """What a value has to be, in words."""
    words: dict[object, str] = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}
    return words.get(type_, "a tuple of texts")


def written(value: object) -> str:
    """A value as a user would write it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ",".join(value)
        case float():
            return f"{value:g}"
        case _:
            return str(value)


def names_in(text: str) -> tuple[str, ...]:
    """Names with commas between."""
    return tuple(name.strip() for name in text.split(","))
