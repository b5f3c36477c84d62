"""What the files of JUnit have in common: a suite in a list of suites, with counts that fit what is in it. Only what
the schema has by which Jenkins reads them (junit-10.xsd) is used; it has no places of test cases."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from paddock.report.xml_text import document

_COUNTED = (("failure", "failures"), ("error", "errors"), ("skipped", "skipped"))


def junit_suite(name: str) -> Element:
    """A new suite, for test cases to be put in."""
    return Element("testsuite", {"name": name})


def junit_text(title: str, suite: Element, seconds: float) -> str:
    """The file with a suite in it."""
    counts = {"tests": sum(1 for _ in suite.iter("testcase"))}
    counts |= {name: sum(1 for _ in suite.iter(tag)) for tag, name in _COUNTED}
    root = Element("testsuites", {"name": title})
    root.append(suite)
    for element in (root, suite):
        for name, count in counts.items():
            if element is suite or name != "skipped":
                element.set(name, str(count))
        element.set("time", f"{seconds:.3f}")
    return document(root)


def add_case(suite: Element, group: str, name: str, seconds: str = "0") -> Element:
    """A new test case of a suite."""
    return SubElement(suite, "testcase", {"classname": group, "name": name, "time": seconds})
