"""A result from the JSON that `paddock check --format json` writes: the way back, for `paddock report`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from paddock.report.counterexample import Activation, Choice, Counterexample, TraceStep, TypedValue
from paddock.report.json_text import SCHEMA_VERSION
from paddock.report.result import AssertionResult, Result, Verdict


class UnreadableReport(Exception):
    """The text is not the report of a check."""


def result_from(text: str) -> Result:
    """The result that a text of JSON describes. Raises `UnreadableReport`."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableReport(f"this is not JSON: {error}") from None
    if not isinstance(said, dict) or said.get("schema") != "check":
        raise UnreadableReport("this is not the report of a check: write one with paddock check --format json")
    if said.get("schema_version") != SCHEMA_VERSION:
        raise UnreadableReport(f"version {said.get('schema_version')} of the report is unknown")
    try:
        return _result(said)
    except KeyError as error:
        raise UnreadableReport(f"the report has no {error}") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise UnreadableReport(f"the report is damaged: {error}") from None


def _result(said: Mapping[str, Any]) -> Result:
    return Result(
        files=tuple(map(str, said["files"])),
        entry=str(said["entry"]),
        goal=str(said["goal"]),
        verdict=Verdict(said["verdict"]),
        engine=str(said["engine"]),
        bound=_number_or_none(said["bound"]),
        contexts=_number_or_none(said["contexts"]),
        reason=str(said["reason"]),
        time_s=float(said["time_s"]),
        stats={str(name): value for name, value in said["stats"].items() if isinstance(value, int | float)},
        assertions=tuple(map(_assertion, said["assertions"])),
        counterexample=_run(said),
        all_assertions=bool(said["all_assertions"]),
        independent=bool(said["independent"]),
        warnings=tuple(map(str, said["warnings"])),
        notes=tuple(map(str, said["notes"])),
        data_model=str(said.get("data_model", "")),
        version=str(said["version"]),
    )


def _number_or_none(value: object) -> int | None:
    return int(value) if isinstance(value, int) else None


def _assertion(said: Mapping[str, Any]) -> AssertionResult:
    texts = {name: str(said[name]) for name in ("id", "file", "procedure", "kind", "text", "reason", "region", "how")}
    return AssertionResult(
        **texts,
        line=int(said["line"]),
        column=int(said["column"]),
        verdict=Verdict(said["verdict"]),
        counterexample=_run(said),
    )


def _run(said: Mapping[str, Any]) -> Counterexample | None:
    """The counterexample that an object has, if it has steps."""
    if not said["trace"]:
        return None
    return Counterexample(
        tuple(map(_step, said["trace"])),
        tuple(map(_activation, said["activations"])),
        tuple(map(_choice, said["choices"])),
    )


def _step(said: Mapping[str, Any]) -> TraceStep:
    types, data = said["types"], said["data"]
    values = {
        str(name): TypedValue(str(text), str(types.get(name, "")), data.get(name))
        for name, text in said["values"].items()
    }
    before = {str(name): TypedValue(str(text), str(types.get(name, ""))) for name, text in said["before"].items()}
    return TraceStep(
        file=str(said["file"]),
        line=int(said["line"]),
        procedure=str(said["procedure"]),
        kind=str(said["kind"]),
        values=values,
        depth=int(said["depth"]),
        column=int(said["column"]),
        text=str(said["text"]),
        source=str(said["source"]),
        thread=int(said["thread"]),
        context=int(said["context"]),
        before=before,
        activation=int(said["activation"]),
        taken=None if said.get("taken") is None else bool(said["taken"]),
    )


def _activation(said: Mapping[str, Any]) -> Activation:
    place = str(said["file"]), int(said["line"]), int(said["column"])
    return Activation(str(said["procedure"]), *place, caller=_number_or_none(said["caller"]))


def _choice(said: Mapping[str, Any]) -> Choice:
    value = TypedValue(str(said["value"]), str(said["type"]), said["data"])
    place = str(said["file"]), int(said["line"]), int(said["column"])
    return Choice(
        str(said["kind"]), str(said["name"]), value, *place, thread=int(said["thread"]), step=int(said["step"])
    )
