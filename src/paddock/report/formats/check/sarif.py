"""SARIF 2.1.0 for editors and forges: a result for each violation, with its run as a code flow.

A run of a program with threads has a thread flow for each; their locations are numbered in the order of execution. What
the verdict rests on, and that a check gave out, are notifications: a log without results is no proof.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from paddock.report.color import PLAIN, Painter
from paddock.report.counterexample import Activation, Choice, Counterexample, TraceStep
from paddock.report.failures import Failure, failures
from paddock.report.json_text import json_text, rounded
from paddock.report.kinds import kind_of
from paddock.report.result import Result, Verdict
from paddock.report.sentence import verdict_sentence

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"  # the name that forges give to the folder of the repository
LANGUAGES = {".bpl": "boogie", ".c": "c", ".i": "c", ".h": "c"}
MOST_RELATED = 100  # places beside the run: who called whom, and what was chosen

Json = dict[str, Any]


def render(result: Result, _paint: Painter = PLAIN) -> str:
    found = failures(result)
    kinds = list(dict.fromkeys(failure.kind for failure in found))
    run = {
        "tool": {"driver": _driver(result, kinds)},
        "automationDetails": {"id": f"paddock/{result.entry}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": _message("The folder in which paddock was called.")}},
        "artifacts": [_artifact(file) for file in _files(result, found)],
        "invocations": [_invocation(result)],
        "results": [_result(failure, kinds.index(failure.kind)) for failure in found],
        "properties": {"verdict": result.verdict.value, "bound": result.bound, "stats": rounded(result.stats)},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _driver(result: Result, kinds: Iterable[str]) -> Json:
    return {
        "name": "Paddock",
        "version": result.version,
        "semanticVersion": result.version,
        "rules": [_rule(kind) for kind in kinds],
    }


def _rule(kind: str) -> Json:
    words = kind_of(kind)
    return {
        "id": f"paddock/{kind}",
        "name": "".join(part.capitalize() for part in words.title.replace(":", "").replace("-", " ").split()),
        "shortDescription": _message(f"{words.title}."),
        "fullDescription": _message(words.help),
        "help": {"text": words.help, "markdown": f"**{words.title}.** {words.help}"},
        "defaultConfiguration": {"level": "error"},
        "properties": {"precision": "very-high", "tags": ["correctness"]},
    }


def _files(result: Result, found: Sequence[Failure]) -> list[str]:
    """The files of the program and those that runs pass through, each once."""
    passed = (step.file for failure in found for step in failure.counterexample.steps)
    return [file for file in dict.fromkeys((*result.files, *passed)) if file]


def _artifact(file: str) -> Json:
    language = next((name for ending, name in LANGUAGES.items() if file.endswith(ending)), None)
    return {"location": _uri(file), **({"sourceLanguage": language} if language else {})}


def _invocation(result: Result) -> Json:
    """Whether the check came to its end, and what it has to say besides what it found."""
    notifications = [_notification("warning", warning) for warning in result.warnings]
    notifications += [_notification("note", note) for note in result.notes]
    gave_out = result.verdict is Verdict.UNKNOWN
    level = "error" if gave_out else "note"
    notifications.append(_notification(level, f"{result.verdict}: {verdict_sentence(result)}"))
    return {"executionSuccessful": not gave_out, "toolExecutionNotifications": notifications}


def _notification(level: str, text: str) -> Json:
    return {"level": level, "message": _message(text)}


def _result(failure: Failure, rule: int) -> Json:
    run = failure.counterexample
    stack = run.stack(run.steps[-1]) if run.steps else ()
    return {
        "ruleId": f"paddock/{failure.kind}",
        "ruleIndex": rule,
        "kind": "fail",
        "level": "error",
        "message": _message(failure.message),
        "locations": [_location(failure.file, failure.line, failure.column, failure.procedure)],
        "fingerprints": {
            "paddock/v1": hashlib.sha256(f"{failure.kind} {failure.id}".encode(errors="backslashreplace")).hexdigest()
        },
        "partialFingerprints": {"assertionId/v1": failure.id},
        "relatedLocations": _related(stack, run.choices),
        "stacks": [_stack(failure, stack)] if stack else [],
        "codeFlows": [_code_flow(failure.message, run)] if run.steps else [],
    }


def _related(stack: Sequence[Activation], choices: Sequence[Choice]) -> list[Json]:
    """Where the procedures that are running were called, the innermost first, and where something was chosen."""
    places = [(call, f"{call.procedure} is called here") for call in reversed(stack) if call.line]
    shown: list[tuple[Activation | Choice, str]] = [*places]
    shown += [(choice, f"{choice.name} = {choice.value}") for choice in choices if choice.line]
    return [
        {"id": number, **_location(place.file, place.line, place.column), "message": _message(text)}
        for number, (place, text) in enumerate(shown[:MOST_RELATED])
    ]


def _stack(failure: Failure, stack: Sequence[Activation]) -> Json:
    """The calls at the end of the run, the innermost first."""
    at: list[tuple[str, int, int]] = [(failure.file, failure.line, failure.column)]
    at += [(call.file, call.line, call.column) for call in reversed(stack[1:])]
    frames = [{"location": _location(*place, call.procedure)} for place, call in zip(at, reversed(stack), strict=True)]
    return {"message": _message("the calls where it fails"), "frames": frames}


def _code_flow(message: str, run: Counterexample) -> Json:
    by_thread: dict[int, list[Json]] = {}
    for order, step in enumerate(run.steps, 1):
        by_thread.setdefault(step.thread, []).append(_flow_location(order, step))
    flows = [{"id": f"thread {thread}", "locations": places} for thread, places in by_thread.items()]
    return {"message": _message(message), "threadFlows": flows}


IMPORTANT = {"fail": "essential", "branch": "important", "call": "important", "switch": "important"}
# SARIF's words for what happens at a place of a flow, as far as it has some.
FLOW_KINDS = {"call": "call", "return": "return", "branch": "branch", "fail": "danger"}


def _flow_location(order: int, step: TraceStep) -> Json:
    values = ", ".join(f"{name} = {value}" for name, value in step.values.items())
    text = step.text or step.source or step.kind
    located = _location(step.file, step.line, step.column, step.procedure)
    kind = FLOW_KINDS.get(step.kind)
    return {
        "location": {**located, "message": _message(f"{text} ({values})" if values else text)},
        **({"kinds": [kind]} if kind else {}),
        "nestingLevel": step.depth,
        "executionOrder": order,
        "importance": IMPORTANT.get(step.kind, "unimportant" if not step.values else "important"),
        "state": _state(step),
    }


def _state(step: TraceStep) -> Json:
    """The values at a step, by the names of the variables."""
    return {name: _message(value.text) for name, value in step.values.items()}


def _location(file: str, line: int, column: int, procedure: str = "") -> Json:
    region: Json = {"startLine": line} if line else {}
    if line and column:
        region["startColumn"] = column
    place: Json = {"artifactLocation": _uri(file), **({"region": region} if region else {})}
    named: Mapping[str, Any] = {"logicalLocations": [{"name": procedure, "kind": "function"}]} if procedure else {}
    return {**({"physicalLocation": place} if file else {}), **named}


def _uri(file: str) -> Json:
    """A path as a URI: below the folder of the call, unless it is absolute."""
    if file.startswith("/"):
        return {"uri": f"file://{quote(file, errors='surrogateescape')}"}
    return {"uri": quote(file.removeprefix("./"), errors="surrogateescape"), "uriBaseId": ROOT}


def _message(text: str) -> Json:
    return {"text": text or " "}
