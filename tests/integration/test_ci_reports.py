"""SARIF, JUnit XML and annotations of real checks: valid, complete, and harmless whatever names a program has."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from paddock.cli.main import main
from paddock.report.counterexample import Counterexample, TraceStep, TypedValue
from paddock.report.kinds import KINDS, kind_of
from paddock.report.registry import rendered
from paddock.report.result import AssertionResult, Result, Verdict
from tests.integration.sarif_schema import schemas

jsonschema = pytest.importorskip("jsonschema", reason="the package jsonschema is not installed")

EXAMPLES = Path(__file__).parents[2] / "examples"
C_PROGRAM = """
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int half(int n) { return 100 / n; }
int main(void) {
  int a[3] = {0};
  int n = __VERIFIER_nondet_int();
  if (n > 3) n = 3;
  for (int i = 0; i <= n; i++) a[i] = half(n);
  assert(n != 2);
  return a[0];
}
"""
CHECKS: list[tuple[str, ...]] = [
    ("lock_bug.bpl",),
    ("lock.bpl",),
    ("sum_bug.bpl", "--all-assertions"),
    ("sum.bpl",),
    ("heap.bpl", "--all-assertions"),
    ("recursive.bpl", "--recursion-bound", "2"),
    ("fig2.bpl", "--goal", "return"),
    ("concurrent/lost_update_bug.bpl",),
    ("implications.bpl", "--all-assertions", "--implications"),
    ("average.c",),
    ("program.c", "--checks", "all", "--all-assertions", "--independent"),
]


@pytest.fixture(params=CHECKS, ids=" ".join)
def report(
    request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], tuple[int, str]]:
    """What a check prints in a form, with its exit status."""
    name, *options = request.param
    file = EXAMPLES / name
    if not file.exists():
        file = tmp_path / name
        file.write_text(C_PROGRAM)

    def printed(form: str) -> tuple[int, str]:
        status = main(["check", str(file), *options, "--format", form])
        return status, capsys.readouterr().out

    return printed


def test_sarif_is_valid_and_has_the_runs(report: Callable[[str], tuple[int, str]]) -> None:
    status, text = report("sarif")
    log = json.loads(text)
    for schema in schemas():
        jsonschema.validate(log, schema)
    check = json.loads(report("json")[1])
    (run,) = log["runs"]
    failing = [a for a in check["assertions"] if a["trace"]] or ([check] if check["trace"] else [])
    assert (status == 1) == bool(failing)
    assert len(run["results"]) == len(failing)
    for result, failed in zip(run["results"], failing, strict=True):
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        places = [place for flow in result["codeFlows"][0]["threadFlows"] for place in flow["locations"]]
        places.sort(key=lambda place: place["executionOrder"])
        shown = [place["location"]["physicalLocation"].get("region", {}).get("startLine", 0) for place in places]
        assert shown == [step["line"] for step in failed["trace"]]
        assert [len(place["state"]) for place in places] == [len(step["values"]) for step in failed["trace"]]
    assert len({result["fingerprints"]["paddock/v1"] for result in run["results"]}) == len(run["results"])


# Of elements of JUnit's files, by the schema of Jenkins (junit-10.xsd): attributes that they may have, those that they
# must have, and what may be inside.
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package", "file"},
        {"name", "tests", "failures", "errors"},
        {"testcase", "properties", "system-out", "system-err"},
    ),
    "testcase": (
        {"name", "time", "classname", "group"},
        {"name"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    **dict.fromkeys(("skipped", "error", "failure"), ({"type", "message"}, set(), set())),
    **dict.fromkeys(("system-out", "system-err"), (set(), set(), set())),
}


def require_junit(root: ElementTree.Element) -> None:
    for element in root.iter():
        may, must, inside = JUNIT[element.tag]
        assert must <= set(element.attrib) <= may, element.attrib
        assert {child.tag for child in element} <= inside
    assert all(re.fullmatch(r"\d{1,3}(\d{3})*(\.\d*)?|\d*(\.\d*)?", e.get("time", "")) for e in root.iter())


def test_junit_counts_what_it_has(report: Callable[[str], tuple[int, str]]) -> None:
    status, text = report("junit")
    root = ElementTree.fromstring(text)
    require_junit(root)
    (suite,) = root
    cases = suite.findall("testcase")
    assert suite.get("tests") == str(len(cases)) and cases
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert suite.get(name) == str(len(suite.findall(f"testcase/{tag}")))
        assert root.get(name) == (suite.get(name) if name != "skipped" else None)
    assert (status == 1) == (suite.get("failures") != "0")
    assert all(case.get("name") and case.get("classname") for case in cases)
    assert all(failure.text and failure.get("message") for failure in suite.iter("failure"))


def test_annotations(report: Callable[[str], tuple[int, str]]) -> None:
    status, text = report("github")
    *lines, last = text.splitlines()
    assert (status == 1) == any(line.startswith("::error file=") for line in lines)
    assert last.startswith("::notice title=Paddock")


def test_threads_have_flows_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(EXAMPLES / "concurrent" / "lost_update_bug.bpl"), "--format", "sarif"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    flows = result["codeFlows"][0]["threadFlows"]
    assert len(flows) > 1 and len({flow["id"] for flow in flows}) == len(flows)


def test_calls_are_related_locations(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(EXAMPLES / "lock_bug.bpl"), "--format", "sarif"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    said = [place["message"]["text"] for place in result["relatedLocations"]]
    assert said[:2] == ["Acquire is called here", "Serve is called here"]
    names = [frame["location"]["logicalLocations"][0]["name"] for frame in result["stacks"][0]["frames"]]
    assert names == ["Acquire", "Serve", "main"]


def test_a_fingerprint_stays_when_other_parts_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fingerprint(text: str) -> Any:
        file = tmp_path / "a.bpl"
        file.write_text(text)
        main(["check", str(file), "--format", "sarif"])
        return json.loads(capsys.readouterr().out)["runs"][0]["results"][0]["fingerprints"]

    first = fingerprint("procedure main(x: int) { assert x > 0; }")
    assert fingerprint("\n\nprocedure other(){}\nprocedure main(x: int) { var y: int; y := x; assert x > 0; }") == first
    assert fingerprint("procedure main(x: int) { assert x > 1; }") != first


HOSTILE = "a<b>&\"'\x00\x1b\udc80%::error::,\n\r]]>"


@pytest.fixture
def hostile() -> Result:
    """A result with names that mean something to those who read the forms."""
    step = TraceStep(f"{HOSTILE}.c", 0, HOSTILE, "fail", {HOSTILE: TypedValue(HOSTILE)}, text=HOSTILE)
    run = Counterexample((step,))
    assertion = AssertionResult(HOSTILE, f"{HOSTILE}.c", 1, Verdict.BUG, kind=HOSTILE, counterexample=run)
    return Result(
        (f"{HOSTILE}.c",),
        HOSTILE,
        "assertion",
        Verdict.BUG,
        "dag",
        assertions=(assertion,),
        counterexample=run,
        warnings=(HOSTILE,),
    )


def test_hostile_names(hostile: Result) -> None:
    for schema in schemas():
        jsonschema.validate(json.loads(rendered("check", "sarif", hostile)), schema)
    ElementTree.fromstring(rendered("check", "junit", hostile))
    lines = rendered("check", "github", hostile).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", "::notice"]
    # A runner splits at the second `::`; nothing that a program says may come before it.
    assert all(line.count(",") <= 3 for line in (line.split("::")[1] for line in lines))


def test_an_unknown_verdict_is_said() -> None:
    result = Result(("a.bpl",), "main", "assertion", Verdict.UNKNOWN, "dag", reason="time limit")
    invocation = json.loads(rendered("check", "sarif", result))["runs"][0]["invocations"][0]
    assert not invocation["executionSuccessful"]
    assert "time limit" in invocation["toolExecutionNotifications"][-1]["message"]["text"]
    suite = ElementTree.fromstring(rendered("check", "junit", result))[0]
    assert suite.get("errors") == "1"
    assert rendered("check", "github", result).startswith("::warning ")


def test_every_check_of_c_has_words() -> None:
    from paddock.options.groups import CHECKS as C_CHECKS

    assert {*C_CHECKS} - {"all"} <= set(KINDS)
    assert "odd" in kind_of("odd").title
