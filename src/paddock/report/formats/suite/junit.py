"""JUnit XML for CI servers: a test case for each task, which fails if its verdict is wrong."""

from __future__ import annotations

from xml.etree.ElementTree import SubElement

from paddock.report.color import PLAIN, Painter
from paddock.report.junit_xml import add_case, junit_suite, junit_text
from paddock.report.suite import FAILED, FOUND, OPEN, WRONG, Suite, summary
from paddock.report.xml_text import allowed

TAGS = {WRONG: "failure", FOUND: "failure", FAILED: "error", OPEN: "skipped"}


def render(suite: Suite, _paint: Painter = PLAIN) -> str:
    found = junit_suite("paddock suite")
    for row in suite.rows:
        case = add_case(found, "paddock", allowed(row.name), f"{row.wall_s:.3f}")
        if row.outcome in TAGS:
            expected = f", but {row.expected} was expected" if row.expected else ""
            message = f"{row.verdict}{expected}{f': {row.reason}' if row.reason else ''}"
            SubElement(case, TAGS[row.outcome], {"message": allowed(message), "type": row.outcome})
    SubElement(found, "system-out").text = allowed(summary(suite))
    return junit_text("paddock suite", found, sum(row.wall_s for row in suite.rows))
