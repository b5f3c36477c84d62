"""JUnit XML for CI servers: a test case for each task, which fails if its verdict is wrong."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from paddock.report.color import PLAIN, Painter
from paddock.report.suite import FAILED, FOUND, OPEN, WRONG, Suite, summary
from paddock.report.xml_text import allowed, document

TAGS = {WRONG: "failure", FOUND: "failure", FAILED: "error", OPEN: "skipped"}


def render(suite: Suite, _paint: Painter = PLAIN) -> str:
    root = Element("testsuites", {"name": "paddock suite"})
    element = SubElement(root, "testsuite", {"name": "paddock suite"})
    for row in suite.rows:
        given = {"classname": "paddock", "name": allowed(row.name), "time": f"{row.wall_s:.3f}"}
        case = SubElement(element, "testcase", given)
        if row.outcome in TAGS:
            expected = f", but {row.expected} was expected" if row.expected else ""
            message = f"{row.verdict}{expected}{f': {row.reason}' if row.reason else ''}"
            SubElement(case, TAGS[row.outcome], {"message": allowed(message), "type": row.outcome})
    counts = {"tests": len(suite.rows)}
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        counts[name] = sum(1 for _ in element.iter(tag))
    for each in (root, element):
        for name, count in counts.items():
            each.set(name, str(count))
        each.set("time", f"{sum(row.wall_s for row in suite.rows):.3f}")
    SubElement(element, "system-out").text = allowed(summary(suite))
    return document(root)
