"""The tasks of a suite: from a TOML file, from task definitions of the software-verification competition, or from all
programs of a folder."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from paddock.driver.loading import endings
from paddock.frozen import frozen
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.options.tables import options_in_table
from paddock.report.suite import BUG, EXPECTED, SAFE

DEFINITION = (".yml", ".yaml")
# The properties of the competition that can be checked, by the names of their files.
PROPERTIES: dict[str, tuple[str, ...]] = {
    "unreach-call": ("unreach",),
    "no-overflow": ("overflow",),
    "valid-memsafety": ("bounds", "pointer", "leak"),
}
TASK_KEYS = ("name", "files", "each", "expected", "options", "cpu")
NOT_FOR_TASKS = ("jobs",)  # which says how many tasks are checked at a time


@frozen
class SuiteTask:
    """A program to check: its files, options by name, and what is expected to come out, if anything is."""

    name: str
    files: tuple[str, ...]
    options: tuple[tuple[str, object], ...] = ()
    expected: str = ""
    cpu: float | None = None  # seconds


def tasks_in(paths: Sequence[str]) -> list[SuiteTask]:
    """The tasks that files and folders describe, each name once. Raises `InputError`."""
    found: list[SuiteTask] = []
    for path in paths:
        found += _tasks(path)
    by_name: dict[str, SuiteTask] = {}
    for task in found:
        if by_name.setdefault(task.name, task) is not task:
            raise InputError(Diagnostic(f"two tasks have the name {task.name}", Origin(task.files[0])))
    return list(by_name.values())


def _tasks(path: str) -> Iterator[SuiteTask]:
    if os.path.isdir(path):
        yield from _tasks_of_folder(path)
    elif path.endswith(".toml"):
        yield from _tasks_of_table(read_toml(path), path)
    elif path.endswith(DEFINITION):
        yield from _tasks_of_definition(path)
    elif path.endswith(endings()):
        yield SuiteTask(path, (path,))
    else:
        known = ", ".join((".toml", *DEFINITION, *endings()))
        raise InputError(Diagnostic(f"a suite is a folder, or a file that ends in {known}", Origin(path)))


def _tasks_of_folder(folder: str) -> Iterator[SuiteTask]:
    """The tasks that are defined below a folder; if there is none, each program there."""
    files = sorted(str(file) for file in Path(folder).rglob("*") if file.is_file())
    definitions = [file for file in files if file.endswith(DEFINITION) and _is_definition(file)]
    for file in definitions:
        yield from _tasks_of_definition(file)
    if not definitions:
        programs = [file for file in files if file.endswith(endings())]
        if not programs:
            raise InputError(Diagnostic("there is nothing to check in this folder", Origin(folder)))
        for file in programs:
            yield SuiteTask(file, (file,))


def read_toml(path: str) -> dict[str, Any]:
    """The tables of a TOML file. Raises `InputError`."""
    try:
        return tomllib.loads(Path(path).read_bytes().decode("utf-8"))
    except OSError as error:
        raise InputError(Diagnostic(f"cannot read the file: {error.strerror}", Origin(path))) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(Diagnostic(f"this is not TOML: {error}", Origin(path))) from None


def _tasks_of_table(table: Mapping[str, Any], path: str) -> Iterator[SuiteTask]:
    """The tasks of a TOML file: tables `[[task]]`, with what they have in common in `[defaults]`."""
    if unknown := [key for key in table if key not in ("defaults", "task")]:
        raise InputError(Diagnostic(f"a suite has [defaults] and [[task]], not {unknown[0]}", Origin(path)))
    defaults = table.get("defaults", {})
    entries = table.get("task", [])
    if not isinstance(defaults, dict) or not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise InputError(Diagnostic("a suite has one table [defaults], and tables [[task]]", Origin(path)))
    for entry in entries:
        yield from _tasks_of_entry({**_common(defaults, path), **entry}, defaults.get("options", {}), path)


def default_options(table: Mapping[str, Any], path: str) -> dict[str, object]:
    """The options that all tasks of a suite have in common, by their names. Raises `InputError`."""
    defaults = table.get("defaults", {})
    options = defaults.get("options", {}) if isinstance(defaults, dict) else None
    if not isinstance(options, dict):
        raise InputError(Diagnostic("options are a table", Origin(path)))
    return options_in_table(options, path, NOT_FOR_TASKS)


def _common(defaults: Mapping[str, Any], path: str) -> dict[str, Any]:
    if wrong := [key for key in defaults if key not in ("options", "expected", "cpu")]:
        raise InputError(Diagnostic(f"[defaults] may have options, expected and cpu, not {wrong[0]}", Origin(path)))
    return {key: value for key, value in defaults.items() if key != "options"}


def _tasks_of_entry(entry: Mapping[str, Any], defaults: object, path: str) -> Iterator[SuiteTask]:
    """The task of an entry, or those that `each` file of a pattern makes."""
    if wrong := [key for key in entry if key not in TASK_KEYS]:
        raise InputError(Diagnostic(f"a task may have {', '.join(TASK_KEYS)}, not {wrong[0]}", Origin(path)))
    own = entry.get("options", {})
    if not isinstance(own, dict) or not isinstance(defaults, dict):
        raise InputError(Diagnostic("options are a table", Origin(path)))
    options = tuple(sorted(options_in_table({**defaults, **own}, path, NOT_FOR_TASKS).items()))
    expected, cpu = entry.get("expected", ""), entry.get("cpu")
    if expected not in ("", *EXPECTED):
        raise InputError(Diagnostic(f"expected is one of {', '.join(EXPECTED)}, not {expected}", Origin(path)))
    if cpu is not None and (not isinstance(cpu, int | float) or not cpu > 0):
        raise InputError(Diagnostic("cpu is a number of seconds above 0", Origin(path)))
    folder = os.path.dirname(path)
    match entry.get("files"), entry.get("each"):
        case list(files), None if files and all(isinstance(file, str) for file in files):
            below = tuple(os.path.join(folder, file) for file in files)
            name = " ".join(str(entry.get("name", " ".join(below))).split())  # one line of a table
            yield SuiteTask(name, below, options, expected, cpu)
        case None, str(pattern):
            found = sorted(str(file) for file in Path(folder or ".").glob(pattern) if file.is_file())
            if not found:
                raise InputError(Diagnostic(f"no file fits the pattern {pattern}", Origin(path)))
            for file in found:
                yield SuiteTask(file, (file,), options, expected, cpu)
        case _:
            raise InputError(Diagnostic("a task has files, a list of names, or each, a pattern", Origin(path)))


def _read_yaml(path: str) -> object:
    import yaml

    try:
        text = Path(path).read_bytes().decode("utf-8")
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise InputError(Diagnostic(f"cannot read the file: {error.strerror}", Origin(path))) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(Diagnostic(f"this is not YAML: {' '.join(str(error).split())}", Origin(path))) from None


def _is_definition(path: str) -> bool:
    try:
        content = _read_yaml(path)
    except InputError:
        return False
    return isinstance(content, dict) and "input_files" in content


def _tasks_of_definition(path: str) -> Iterator[SuiteTask]:
    """The tasks of a definition of the competition: one for each property that can be checked."""
    content = _read_yaml(path)
    if not isinstance(content, dict) or "input_files" not in content:
        raise InputError(Diagnostic("this is no task definition: it has no input_files", Origin(path)))
    given = content["input_files"]
    names = [given] if isinstance(given, str) else given
    asked = content.get("properties") or []
    if not isinstance(names, list) or not isinstance(asked, list) or not all(isinstance(p, dict) for p in asked):
        raise InputError(Diagnostic("this task definition is damaged", Origin(path)))
    files = tuple(os.path.join(os.path.dirname(path), str(name)) for name in names)
    details = content.get("options")
    model = str(details.get("data_model", "ILP32")).lower() if isinstance(details, dict) else "ilp32"
    several = sum(_property(each) in PROPERTIES for each in asked) > 1
    for each in asked:
        name = _property(each)
        if name in PROPERTIES and model in ("ilp32", "lp64"):
            verdict = each.get("expected_verdict")
            expected = {True: SAFE, False: BUG}.get(verdict, "") if isinstance(verdict, bool) else ""
            options = (("checks", PROPERTIES[name]), ("data_model", model))
            yield SuiteTask(f"{path}:{name}" if several else path, files, options, expected)


def _property(entry: Mapping[str, Any]) -> str:
    return Path(str(entry.get("property_file", ""))).stem
