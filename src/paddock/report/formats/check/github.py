"""Annotations for GitHub Actions: a line for each violation and each warning, then one with the verdict.

A workflow that prints them shows them beside the lines of a pull request.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.report.color import PLAIN, Painter
from paddock.report.failures import failures
from paddock.report.kinds import kind_of
from paddock.report.result import Result, Verdict
from paddock.report.sentence import verdict_sentence


def render(result: Result, _paint: Painter = PLAIN) -> str:
    return "".join(line + "\n" for line in _lines(result))


def _lines(result: Result) -> Iterator[str]:
    for failure in failures(result):
        place = {"file": failure.file, "line": failure.line or "", "col": failure.column or ""}
        title = {"title": f"{kind_of(failure.kind).title} ({failure.id})"}
        yield _command("error", failure.message, {**place, **title})
    for warning in result.warnings:
        yield _command("warning", warning, {"title": "Paddock"})
    level = "warning" if result.verdict is Verdict.UNKNOWN else "notice"
    yield _command(level, f"{result.verdict}: {verdict_sentence(result)}", {"title": f"Paddock: {result.entry}"})


def _command(level: str, message: str, properties: dict[str, object]) -> str:
    """A workflow command. Signs that end a line or a property are percent-encoded, as the runner decodes them."""
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value != "")
    return f"::{level} {given}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
