"""The server, on pygls: documents are checked when they are opened and saved; names can be hovered over and followed.

A check is a process of its own. It ends when the editor cancels it, when the document is saved again or closed, and
when the server ends.
"""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Sequence
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from paddock.driver import loading
from paddock.driver.project import project_options
from paddock.ir.origin import InputError
from paddock.lsp.checking import SUMMARY_BOUND, Checked, absolute, check, inferred
from paddock.lsp.symbols import Symbol, symbol_at, symbols_of, word_at
from paddock.options.tables import options_in_table
from paddock.report.counterexample import TraceStep
from paddock.report.failures import Failure, failures
from paddock.report.sentence import verdict_sentence
from paddock.version import __version__

TIMEOUT_S = 60.0
MOST_RELATED = 200  # steps of a run; more would be no help
KINDS = {
    "procedure": lsp.SymbolKind.Function,
    "function": lsp.SymbolKind.Function,
    "variable": lsp.SymbolKind.Variable,
    "constant": lsp.SymbolKind.Constant,
    "type": lsp.SymbolKind.Class,
}


class Server:
    """What is known of the documents that an editor has open, and the server that talks with it."""

    def __init__(self) -> None:
        self.talk: Any = LanguageServer("paddock", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.options: dict[str, object] = {}
        self.running: dict[str, asyncio.Event] = {}  # by document; set to end the check
        self.tasks: set[asyncio.Task[None]] = set()
        self.known: dict[str, list[Symbol]] = {}  # by document, as it could last be read
        self.summaries: dict[str, dict[str, tuple[str, ...]]] = {}  # by document and procedure, of its last check
        self.shown: dict[str, set[str]] = {}  # by document, where its last check has put diagnostics

    @property
    def folder(self) -> str:
        """Where checks run: the folder that the editor has open."""
        root = self.talk.workspace.root_path
        return root if root and os.path.isdir(root) else os.getcwd()

    def start_check(self, uri: str) -> None:
        self.end_check(uri)
        self.running[uri] = wants_end = asyncio.Event()
        task = asyncio.get_running_loop().create_task(self._check(uri, wants_end))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def end_check(self, uri: str) -> None:
        if uri in self.running:
            self.running.pop(uri).set()

    async def _check(self, uri: str, wants_end: asyncio.Event) -> None:
        path = to_fs_path(uri)
        if path is None or not path.endswith(loading.endings()):
            return
        token = str(uuid.uuid4())
        await self.talk.work_done_progress.create_async(token)
        begin = lsp.WorkDoneProgressBegin(title="Paddock", message=os.path.basename(path), cancellable=True)
        self.talk.work_done_progress.begin(token, begin)

        def on_line(line: str) -> None:
            self.talk.work_done_progress.report(token, lsp.WorkDoneProgressReport(message=line))

        def is_unwanted() -> bool:
            return wants_end.is_set() or self.talk.work_done_progress.tokens[token].cancelled()

        folder = self.folder
        checked = Checked()
        try:
            checked = await check(os.path.relpath(path, folder), folder, self._options(folder), on_line, is_unwanted)
        finally:
            message = "ended" if checked == Checked() else _sentence(checked)
            self.talk.work_done_progress.end(token, lsp.WorkDoneProgressEnd(message=message))
        if not is_unwanted():
            self._publish(uri, checked, folder)
        if checked.result is not None and not is_unwanted():
            self.summaries[uri] = await inferred(os.path.relpath(path, folder), folder, self._all(folder), is_unwanted)

    def _options(self, folder: str) -> dict[str, object]:
        """What the editor says; without a word from it or the project, checks end after a time."""
        try:
            has_limit = "timeout" in project_options(folder)
        except InputError:  # which the check will complain about
            has_limit = True
        return ({} if has_limit else {"timeout": TIMEOUT_S}) | self.options

    def _all(self, folder: str) -> dict[str, object]:
        """The options of the project, and what the editor says."""
        try:
            return project_options(folder) | self.options
        except InputError:
            return self.options

    def _publish(self, uri: str, checked: Checked, folder: str) -> None:
        """Show what a check found, and take away what an earlier one did."""
        found: dict[str, list[lsp.Diagnostic]] = {uri: []}
        for problem in checked.problems:
            where = _uri(absolute(problem.file, folder), uri)
            made = _diagnostic(problem.line, problem.column, problem.message, lsp.DiagnosticSeverity.Error)
            found.setdefault(where, []).append(made)
        for failure in failures(checked.result) if checked.result else ():
            where = _uri(absolute(failure.file, folder), uri)
            found.setdefault(where, []).append(_failing(failure, folder, uri))
        if checked.result is not None:
            for warning in checked.result.warnings:
                found[uri].append(_diagnostic(1, 1, warning, lsp.DiagnosticSeverity.Information))
        for where in self.shown.get(uri, set()) | set(found):
            shown = lsp.PublishDiagnosticsParams(where, found.get(where, []))
            self.talk.text_document_publish_diagnostics(shown)
        self.shown[uri] = set(found)

    def symbols(self, uri: str) -> list[Symbol]:
        """The symbols of a document as it is in the editor; if it cannot be read, as it last could."""
        document = self.talk.workspace.get_text_document(uri)
        path = to_fs_path(uri) or uri
        try:
            program = loading.load([loading.text_source(document.source, path)])
            found = symbols_of(program, document.source.split("\n"))
            self.known[uri] = [symbol for symbol in found if symbol.origin.file == path]
        except InputError:
            pass
        return self.known.get(uri, [])


def _sentence(checked: Checked) -> str:
    if checked.result is None:
        return "the program cannot be read"
    return f"{checked.result.verdict}: {verdict_sentence(checked.result)}"


def _uri(path: str, default: str) -> str:
    return from_fs_path(path) or default


def _diagnostic(line: int, column: int, message: str, severity: lsp.DiagnosticSeverity) -> lsp.Diagnostic:
    return lsp.Diagnostic(_range(line, column), message, severity=severity, source="paddock")


def _range(line: int, column: int, length: int = 1) -> lsp.Range:
    start = max(column - 1, 0)
    return lsp.Range(lsp.Position(max(line - 1, 0), start), lsp.Position(max(line - 1, 0), start + length))


def _failing(failure: Failure, folder: str, uri: str) -> lsp.Diagnostic:
    """A violation, with its run as related information."""
    steps = failure.counterexample.steps
    made = _diagnostic(failure.line, failure.column, failure.message, lsp.DiagnosticSeverity.Error)
    made.code = failure.kind
    made.related_information = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(_uri(absolute(step.file, folder), uri), _range(step.line, step.column)), _step_message(step)
        )
        for step in steps[-MOST_RELATED:]
        if step.line
    ]
    return made


def _step_message(step: TraceStep) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in step.values.items())
    text = step.text or step.source
    return f"{text}  ({values})" if values else text


class Names:
    """Hovering, definitions and the outline of documents."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def _meant(self, params: Any) -> Symbol | None:
        """What stands at the position that an editor asks about."""
        uri, position = params.text_document.uri, params.position
        lines: Sequence[str] = self._server.talk.workspace.get_text_document(uri).lines
        if position.line >= len(lines):
            return None
        word = word_at(lines[position.line], position.character)
        return symbol_at(self._server.symbols(uri), word, position.line + 1)

    def hover(self, params: Any) -> Any:
        symbol = self._meant(params)
        if symbol is None:
            return None
        uri = params.text_document.uri
        language = "c" if uri.endswith((".c", ".i")) else "boogie"
        known = self._server.summaries.get(uri, {}).get(symbol.name, ()) if symbol.kind == "procedure" else ()
        lines = [
            symbol.shown,
            *(f"// ensures {each}  (inferred, within recursion bound {SUMMARY_BOUND})" for each in known),
        ]
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n".join([f"```{language}", *lines, "```"])))

    def definition(self, params: Any) -> Any:
        symbol = self._meant(params)
        if symbol is None:
            return None
        place = _range(symbol.origin.line, symbol.origin.column, len(symbol.name))
        return lsp.Location(params.text_document.uri, place)

    def outline(self, params: Any) -> Any:
        found = []
        for symbol in self._server.symbols(params.text_document.uri):
            if symbol.kind in KINDS:
                place = _range(symbol.origin.line, symbol.origin.column, len(symbol.name))
                found.append(lsp.DocumentSymbol(symbol.name, KINDS[symbol.kind], place, place, detail=symbol.kind))
        return found


def made_server() -> Any:
    """A server with all that it can do."""
    server = Server()
    names, talk = Names(server), server.talk

    def initialize(params: Any) -> None:
        given = params.initialization_options or {}
        table = given.get("options", {}) if isinstance(given, dict) else {}
        try:  # which may come from a file of the project, so that it may not say everything
            server.options = options_in_table(
                table if isinstance(table, dict) else {}, "initializationOptions", ("jobs",)
            )
        except InputError as error:
            talk.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, str(error.diagnostics[0])))

    async def changed_on_disk(params: Any) -> None:
        server.start_check(params.text_document.uri)

    async def closed(params: Any) -> None:
        server.end_check(params.text_document.uri)

    async def shutdown(_: Any = None) -> None:
        for uri in list(server.running):
            server.end_check(uri)
        await asyncio.gather(*server.tasks, return_exceptions=True)

    for feature, handler in (
        (lsp.INITIALIZE, initialize),
        (lsp.TEXT_DOCUMENT_DID_OPEN, changed_on_disk),
        (lsp.TEXT_DOCUMENT_DID_SAVE, lambda params: server.start_check(params.text_document.uri)),
        (lsp.TEXT_DOCUMENT_DID_CLOSE, closed),
        (lsp.SHUTDOWN, shutdown),
        (lsp.TEXT_DOCUMENT_HOVER, lambda params: names.hover(params)),
        (lsp.TEXT_DOCUMENT_DEFINITION, lambda params: names.definition(params)),
        (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lambda params: names.outline(params)),
    ):
        talk.feature(feature)(handler)
    return talk
