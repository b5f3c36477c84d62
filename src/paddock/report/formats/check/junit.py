"""JUnit XML for CI servers: a test case for each assertion, which fails with its trace.

An assertion of which nothing is known is an error; if that is because the check ended with another bug, it is skipped.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from paddock.report.color import PLAIN, Painter
from paddock.report.failures import Failure, failures
from paddock.report.formats.check.text import trace_lines
from paddock.report.junit_xml import add_case, junit_suite, junit_text
from paddock.report.result import Result, Verdict
from paddock.report.sentence import bounds_text, place_text, verdict_sentence
from paddock.report.xml_text import allowed

OTHER_BUG = "the check ended with the first bug; --all-assertions looks at each"


def render(result: Result, _paint: Painter = PLAIN) -> str:
    suite = junit_suite(allowed(" ".join([*result.files, result.entry]).strip()))
    found = {failure.id: failure for failure in failures(result)}
    for assertion in result.assertions:
        case = add_case(suite, allowed(assertion.procedure or result.entry), allowed(assertion.id))
        _outcome(case, result, assertion.verdict, assertion.reason, found.pop(assertion.id, None))
        within = f" within {bounds_text(result)}" if assertion.verdict is Verdict.BOUNDED else ""
        _say(case, "system-out", f"{place_text(assertion)}: {assertion.verdict}{within}: {assertion.text}")
    for failure in found.values():
        case = add_case(suite, allowed(failure.procedure), allowed(failure.id))
        _outcome(case, result, Verdict.BUG, "", failure)
    if len(suite) == 0:
        case = add_case(suite, allowed(result.entry), allowed(result.entry))
        _outcome(case, result, result.verdict, result.reason, None)
    _say(suite, "system-out", f"{result.verdict}: {verdict_sentence(result)}")
    if result.warnings:
        _say(suite, "system-err", "\n".join(f"warning: {warning}" for warning in result.warnings))
    return junit_text("paddock", suite, result.time_s)


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
