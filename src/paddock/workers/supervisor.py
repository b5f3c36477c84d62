"""Child processes under supervision: what they send is received, and they end when they should.

The process that checks programs for the command line is such a child, and so are those that verify regions. A child
gets SIGTERM before it is killed, for it may have children of its own to end. It ends when its
parent does, however that goes.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from paddock.workers.pipes import LARGEST, Reader, Writer, pipe

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Send = Callable[[Any], None]
Work = Callable[[Send], None]

TERMINATION_S = 0.3  # how long a process may take after SIGTERM to end what it has started itself
_POLL_S = 0.01

# Messages go in pieces that the system takes as wholes: who sees one come can read it without waiting.
_PIECE = LARGEST - 1  # beside a mark
_LAST, _MORE = b".", b"+"

_SIGNALS = {signal.SIGINT, signal.SIGTERM, *({signal.SIGALRM, signal.SIGHUP} if hasattr(signal, "SIGALRM") else ())}
_PR_SET_PDEATHSIG = 1
OUT_OF_CPU_TIME = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else None  # the status after `ulimit -t`


class Child:
    """A process that runs `work`, which gets a function to send messages with: a copy of this one, which knows all that
    this one knows, where the system can do that; else a new one, to which the work is sent. Interrupts are for the
    parent alone, unless it is `interruptible`. Raises `OSError` if there is no room for one more process."""

    def __init__(self, work: Work, *, interruptible: bool = False) -> None:
        self.pid = 0
        self._parent = os.getpid()
        self.status: int | None = None  # with which it has ended; negative for a signal
        self._process: BaseProcess | None = None
        self._pieces: list[bytes] = []  # of a message that is not whole yet
        self.connection, sender = _connection()
        arguments = work, sender, os.getpid(), interruptible
        try:
            with undisturbed():  # a signal that comes before the child deals with it has to wait
                if hasattr(os, "fork"):
                    self.pid = os.fork()
                    if self.pid == 0:
                        self.connection.close()
                        _be_child(*arguments)
                else:
                    from multiprocessing import get_context

                    self._process = get_context("spawn").Process(target=_be_child, args=arguments)
                    self._process.start()
                    self.pid = self._process.pid or 0
        except OSError:
            self.connection.close()
            raise
        finally:
            sender.close()

    def __del__(self) -> None:
        # An interrupt may have come before the process was registered. Copies of this object do not count.
        if self.pid and self._parent == os.getpid() and not self.has_ended():
            end([self])

    def receive(self) -> list[Any]:
        """The message that is whole with the next piece, if there is one. Does not wait for the rest of a message: who
        sends it may have been stopped. Raises `EOFError` or `OSError` if no more can come, as the process has ended."""
        piece = self.connection.recv_bytes()
        self._pieces.append(piece[1:])
        if piece[:1] != _LAST:
            return []
        message = b"".join(self._pieces)
        self._pieces.clear()
        return [pickle.loads(message)]

    def signal(self, number: int) -> None:
        if not self.has_ended():  # else its number may be that of another process
            os.kill(self.pid, number)

    def has_ended(self) -> bool:
        if self.status is None and self._process is not None:
            self.status = self._process.exitcode
        elif self.status is None:
            try:
                ended, status = os.waitpid(self.pid, os.WNOHANG)
                self.status = os.waitstatus_to_exitcode(status) if ended else None
            except ChildProcessError:  # whoever started us does not want to know of children
                self.status = 0
        return self.status is not None

    def wait(self, seconds: float) -> bool:
        """Whether the process ends within a time."""
        latest = time.monotonic() + seconds
        while not self.has_ended():
            if time.monotonic() >= latest:
                return False
            time.sleep(_POLL_S)
        return True


def _connection() -> tuple[Reader, Writer]:
    """The ends of a pipe to a child."""
    if hasattr(os, "fork"):
        return pipe()
    from multiprocessing import Pipe  # whose ends can be sent to a new process

    return Pipe(duplex=False)


def end(children: Sequence[Child]) -> None:
    """End processes, if they have not ended, and see them gone."""
    for child in children:
        child.signal(signal.SIGTERM)  # not yet the last resort, for it may have children of its own to end
    latest = time.monotonic() + TERMINATION_S
    for child in children:
        while not child.wait(max(0.0, latest - time.monotonic())):
            child.signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        child.connection.close()


def _be_child(work: Work, connection: Writer, parent: int, interruptible: bool) -> NoReturn:
    """Work, and end this process: what the parent has opened and registered is for the parent to close."""
    status = 1
    try:
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        if not interruptible:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        elif signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        die_with_parent(parent)
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)

        def send(message: Any) -> None:
            pickled = pickle.dumps(message)
            with undisturbed(but=signal.SIGTERM):  # half a message would be worse than none
                for start in range(0, len(pickled), _PIECE):
                    is_last = start + _PIECE >= len(pickled)
                    connection.send_bytes((_LAST if is_last else _MORE) + pickled[start : start + _PIECE])

        work(send)
        status = 0
    except (KeyboardInterrupt, BrokenPipeError, ConnectionResetError, SystemExit):
        pass  # the parent knows, or is gone
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(status)


def die_with_parent(parent: int) -> None:
    """Ask the system to end this process when its parent is gone, however that went; not all systems can. It may be
    gone already."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if hasattr(os, "fork") and os.getppid() != parent:
        sys.exit(1)


@contextlib.contextmanager
def undisturbed(but: int | None = None) -> Iterator[None]:
    """Let signals wait, but for one."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS - {but})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
