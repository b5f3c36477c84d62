"""The composite action and the hooks: what they name exists, and what they run does what it should."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def test_the_action_puts_no_input_into_a_script() -> None:
    assert ACTION["runs"]["using"] == "composite"
    used: set[str] = set()
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"] and step["shell"] == "bash"
        used |= set(re.findall(r"inputs\.(\w+)", " ".join(step.get("env", {}).values())))
    assert used == set(ACTION["inputs"])


def run_action(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the last step of the action as a runner does."""
    step = ACTION["runs"]["steps"][-1]
    given = {name: str(spec["default"]) for name, spec in ACTION["inputs"].items()} | inputs
    environment = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], value)
        for name, value in step["env"].items()
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
        env={**os.environ, **environment, "GITHUB_ACTION_PATH": str(ROOT), "PATH": path},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bug.bpl").write_text("procedure main(x: int) { assert x != 7; }\n")
    (tmp_path / "paddock.toml").write_text('[[task]]\nfiles = ["bug.bpl"]\nexpected = "bug"\n')
    return tmp_path


def test_a_program_is_annotated(folder: Path) -> None:
    done = run_action(folder, files="bug.bpl", arguments="--timeout 500", sarif="out.sarif")
    assert done.returncode == 1, done.stderr
    assert "::error file=bug.bpl,line=1,col=26," in done.stdout
    assert json.loads((folder / "out.sarif").read_text())["runs"][0]["results"]


def test_a_suite_is_checked(folder: Path) -> None:
    done = run_action(folder)
    assert done.returncode == 0 and "1 right" in done.stdout


def test_inputs_are_words_not_commands(folder: Path) -> None:
    done = run_action(folder, files="bug.bpl; touch evil", arguments="$(touch evil)")
    assert done.returncode == 2 and not (folder / "evil").exists()


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hooks(hook: dict[str, Any], folder: Path) -> None:
    assert re.search(hook["files"], "src/bug.bpl") and not re.search(hook["files"], "notes.txt")
    program, *words = hook["entry"].split()
    assert program == "paddock"
    files = [] if hook.get("pass_filenames") is False else ["bug.bpl"]
    command = [sys.executable, "-m", "paddock", *words, *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == (1 if files else 0), done.stderr
