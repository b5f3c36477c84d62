"""JUnit XML for CI servers: a test case for each assertion, which fails with its trace.

An assertion of which nothing is known is an error; if that is because the check ended with another bug, it is skipped.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from paddock.report.color import PLAIN, Painter
from paddock.report.failures import Failure, failures
from paddock.report.formats.check.text import trace_lines
from paddock.report.result import Result, Verdict
from paddock.report.sentence import bounds_text, verdict_sentence
from paddock.report.xml_text import allowed, document

OTHER_BUG = "the check ended with the first bug; --all-assertions looks at each"


def render(result: Result, _paint: Painter = PLAIN) -> str:
    suites = Element("testsuites", {"name": "paddock"})
    suite = SubElement(suites, "testsuite", {"name": allowed(" ".join([*result.files, result.entry]).strip())})
    found = {failure.id: failure for failure in failures(result)}
    for assertion in result.assertions:
        place = {"file": assertion.file, "line": str(assertion.line)}
        case = _case(suite, assertion.procedure or result.entry, assertion.id, place)
        _outcome(case, result, assertion.verdict, assertion.reason, found.pop(assertion.id, None))
        within = f" within {bounds_text(result)}" if assertion.verdict is Verdict.BOUNDED else ""
        _say(case, "system-out", f"{assertion.verdict}{within}: {assertion.text}")
    for failure in found.values():
        place = {"file": failure.file, "line": str(failure.line)}
        _outcome(_case(suite, failure.procedure, failure.id, place), result, Verdict.BUG, "", failure)
    if len(suite) == 0:
        _outcome(_case(suite, result.entry, result.entry, {}), result, result.verdict, result.reason, None)
    counts = {"tests": len(suite)}
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        counts[name] = sum(1 for _ in suite.iter(tag))
    for element in (suites, suite):
        for name, count in counts.items():
            element.set(name, str(count))
        element.set("time", f"{result.time_s:.3f}")
    _say(suite, "system-out", f"{result.verdict}: {verdict_sentence(result)}")
    if result.warnings:
        _say(suite, "system-err", "\n".join(f"warning: {warning}" for warning in result.warnings))
    return document(suites)


def _case(suite: Element, procedure: str, name: str, place: dict[str, str]) -> Element:
    given = {"classname": procedure, "name": name, **place, "time": "0"}
    return SubElement(suite, "testcase", {key: allowed(value) for key, value in given.items()})


def _outcome(case: Element, result: Result, verdict: Verdict, reason: str, failure: Failure | None) -> None:
    """What a server counts: a failure, an error, something that was not looked at, or nothing for what holds."""
    if failure is not None:
        found = SubElement(case, "failure", {"message": allowed(failure.message), "type": allowed(failure.kind)})
        found.text = allowed("\n".join(trace_lines(failure.counterexample.steps, PLAIN)))
    elif verdict is Verdict.UNKNOWN and result.verdict is Verdict.BUG and not result.all_assertions:
        SubElement(case, "skipped", {"message": OTHER_BUG})
    elif verdict is Verdict.UNKNOWN:
        why = reason or result.reason or "no reason was given"
        SubElement(case, "error", {"message": allowed(why), "type": "unknown"})


def _say(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = allowed(text)
