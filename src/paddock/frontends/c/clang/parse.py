"""Runs clang on the files of a program: the first and the last step of reading C.

clang's parser recurses on what it parses. It runs in a thread with a stack that is large enough for deeply nested
input; pages of it that are not needed cost nothing.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_void_p

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.library import Library, UnsavedFile, library
from paddock.frontends.c.clang.notation import has_notation, plain_c
from paddock.frontends.c.clang.places import Places
from paddock.frontends.c.clang.unit_reader import read_units
from paddock.frontends.c.flags import Flags, read_compile_commands
from paddock.frontends.c.tree import Unit
from paddock.frozen import replace
from paddock.ir.origin import Diagnostic, InputError, Origin

# Files of models (names and texts) that define some of the functions that are wanted.
Models = Callable[[Collection[str]], Sequence[tuple[str, str]]]

_STACKS = (512 << 20, 64 << 20)  # bytes; the second where the system does not allow the first
_ON_THIS_THREAD = "LIBCLANG_NOTHREADS"  # or libclang would start a thread of its own, with a small stack
_OTHER_KIND = re.compile(r"redefinition of '(\w+)' as different kind of symbol")
_VECTOR_HEADER = re.compile(r"(?:[a-z0-9]*mmintrin|[a-z0-9]*intrin|arm_neon|cpuid)\.h")
_MISSING_HEADER = re.compile(r"'([^']*)' file not found")
_REFUSED = re.compile(r"(?:__CPROVER_\w+|==> .*) is not supported")  # what we say through clang
_MOST_DIAGNOSTICS = 20
_WIDEST_SHOWN = 300  # characters of a line

# GCC's attribute with arguments, which clang does not know; blanked out so that all places stay.
_MALLOC = re.compile(rb"(?<=\(\()(\s*(?:__)?malloc(?:__)?\s*)(\([^()]*\))|(?<=,)(\s*__malloc__\s*)(\([^()]*\))")


def parse(files: Sequence[tuple[str, str]], flags: Flags, models: Models = lambda wanted: ()) -> Unit:
    """The program that files (names and texts) make together. Raises `InputError` with all that is wrong.

    `models` gives files with functions that are taken where the program uses but does not define them."""
    lib = library()
    commands = read_compile_commands(flags.compile_commands) if flags.compile_commands else {}
    index = lib.createIndex(0, 0)
    units: list[c_void_p] = []

    def parsed(texts: Sequence[tuple[str, str]], flags: Flags, commands: Mapping[str, Sequence[str]]) -> list[c_void_p]:
        problems: list[Diagnostic] = []
        arguments = [flags.arguments(name, commands) for name, _ in texts]
        first = len(units)
        for (name, text), words in zip(texts, arguments, strict=True):
            found, unit = _parsed(lib, index, name, text, words)
            units.append(unit)
            problems += found
        if problems:
            raise InputError(problems[:_MOST_DIAGNOSTICS])
        return units[first:]

    try:
        own = Flags(flags.model)  # what the user says of files is not about models
        return read_units(lib, parsed(files, flags, commands), lambda n: parsed(models(n), own, {}), flags.model)
    except InputError as error:
        raise InputError([_as_written(problem, dict(files)) for problem in error.diagnostics]) from None
    finally:
        for unit in units:
            lib.disposeTranslationUnit(unit)
        lib.disposeIndex(index)


def _parsed(
    lib: Library, index: c_void_p, name: str, text: str, arguments: Sequence[str]
) -> tuple[list[Diagnostic], c_void_p]:
    """What is wrong with a translation unit, and the unit.

    clang knows functions of the C library also where no header declares them, and takes their names (`index`, `log`)
    for theirs. Where a file gives such a name to something else, libclang is made to forget that function."""
    forgotten: list[str] = []
    while True:
        unit = _translation_unit(lib, index, name, text, [*arguments, *(f"-fno-builtin-{f}" for f in forgotten)])
        problems = _errors(lib, unit)
        names = dict.fromkeys(m[1] for p in problems if (m := _OTHER_KIND.fullmatch(p.message)))
        more = [f for f in names if f not in forgotten]
        if not more:
            return problems, unit
        lib.disposeTranslationUnit(unit)
        forgotten += more


def _translation_unit(lib: Library, index: c_void_p, name: str, text: str, arguments: Sequence[str]) -> c_void_p:
    contents = plain_c(_MALLOC.sub(_blanked, text.encode("utf-8", "surrogateescape")))
    file_name = os.fsencode(name)
    words = (c_char_p * len(arguments))(*map(os.fsencode, arguments))
    given = (UnsavedFile * 1)(UnsavedFile(file_name, contents, len(contents)))
    unit = c_void_p()

    def run() -> int:
        status: int = lib.parseTranslationUnit2(
            index, file_name, words, len(arguments), given, 1, k.WITH_MACROS | k.KEEP_GOING, byref(unit)
        )
        return status

    status = _with_large_stack(run)
    if status != 0 or not unit.value:
        reason = "clang crashed on it" if status == k.CRASHED else "clang does not accept its arguments"
        raise InputError(Diagnostic(f"cannot parse the file: {reason}", Origin(name)))
    return unit


def _blanked(attribute: re.Match[bytes]) -> bytes:
    """The name of the attribute, and spaces for its arguments."""
    name, arguments = (attribute[1], attribute[2]) if attribute[1] is not None else (attribute[3], attribute[4])
    return name + re.sub(rb"[^\n]", b" ", arguments)


def _with_large_stack(run: Callable[[], int]) -> int:
    """What a function returns that runs in a thread with a large stack.

    Whatever interrupts us, a time limit or the user: we go on only when the function does not run, or no longer."""
    results: list[int] = []
    go, cancelled, done = threading.Event(), threading.Event(), threading.Event()

    def body() -> None:
        go.wait()
        try:
            if not cancelled.is_set():
                results.append(run())
        finally:
            done.set()

    with _on_its_own_thread():
        thread = _started(body, go, cancelled)
        interruption: BaseException | None = None
        while not done.is_set():
            try:
                go.set()
                done.wait()
            except BaseException as error:
                interruption = interruption or error
    thread.join()
    if interruption is not None:
        raise interruption
    return results[0]


def _started(body: Callable[[], None], go: threading.Event, cancelled: threading.Event) -> threading.Thread:
    for size in _STACKS:
        thread = threading.Thread(target=body, daemon=True)
        before = threading.stack_size(size)
        try:
            thread.start()
            return thread
        except RuntimeError:  # there is not so much address space
            continue
        except BaseException:  # the thread may run nevertheless
            cancelled.set()
            go.set()
            raise
        finally:
            threading.stack_size(before)
    raise MemoryError


@contextmanager
def _on_its_own_thread() -> Iterator[None]:
    """Inside, libclang works on the thread that calls it."""
    before = os.environ.get(_ON_THIS_THREAD)
    os.environ[_ON_THIS_THREAD] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_ON_THIS_THREAD]
        else:
            os.environ[_ON_THIS_THREAD] = before


def _errors(lib: Library, unit: c_void_p) -> list[Diagnostic]:
    """What clang says is wrong with a translation unit."""
    places = Places(lib, unit)
    found: list[Diagnostic] = []
    for number in range(lib.getNumDiagnostics(unit)):
        diagnostic = lib.getDiagnostic(unit, number)
        if lib.getDiagnosticSeverity(diagnostic) >= k.SEVERITY_ERROR:
            message = lib.text(lib.getDiagnosticSpelling(diagnostic))
            origin, line = places.shown(lib.getDiagnosticLocation(diagnostic))
            found.append(Diagnostic(message, origin, line[:_WIDEST_SHOWN], _hint(message)))
        lib.disposeDiagnostic(diagnostic)
    # What else is wrong where a word is refused comes of its having no meaning.
    return [d for d in found if _REFUSED.fullmatch(d.message)] or found


def _as_written(problem: Diagnostic, texts: Mapping[str, str]) -> Diagnostic:
    """A problem with the line that the user knows: where CBMC's syntax is, clang has read another one."""
    text = texts.get(problem.origin.file, "")
    if not has_notation(text):
        return problem
    line = text.split("\n")[problem.origin.line - 1].rstrip("\r")
    return replace(problem, source_line=line[:_WIDEST_SHOWN])


def _hint(message: str) -> str:
    missing = _MISSING_HEADER.search(message)
    if missing and _VECTOR_HEADER.fullmatch(missing[1]):
        return "the instructions of vectors that it declares are not supported"
    return f"pass -I FOLDER, where FOLDER/{missing[1]} is" if missing else ""
