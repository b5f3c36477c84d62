"""One-way pipes between a process and its copy, which carry messages as wholes.

They are what `multiprocessing.Pipe` gives, and have its names, but take next to no time to import.
"""

from __future__ import annotations

import os
import select
import struct
from typing import Protocol

LARGEST = getattr(select, "PIPE_BUF", 512) - 16  # bytes that the system takes as a whole (512 at least, by POSIX)
_LENGTH = struct.Struct("!i")


class Reader(Protocol):
    """The end of a pipe that messages come out of."""

    def fileno(self) -> int: ...

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Whether there is a message, or no more will come, within a time in seconds."""

    def recv_bytes(self) -> bytes:
        """The next message. Raises `EOFError` if no more can come."""

    def close(self) -> None: ...


class Writer(Protocol):
    """The end of a pipe that messages are put into."""

    def send_bytes(self, buf: bytes) -> None:
        """Send a message of at most `LARGEST` bytes."""

    def close(self) -> None: ...


class _End:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __del__(self) -> None:
        self.close()


class _ReadingEnd(_End):
    def poll(self, timeout: float | None = 0.0) -> bool:
        poller = select.poll()
        poller.register(self._descriptor, select.POLLIN)
        return bool(poller.poll(None if timeout is None else max(0.0, timeout * 1000)))

    def recv_bytes(self) -> bytes:
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        return self._read(length)

    def _read(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            piece = os.read(self._descriptor, length - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data


class _WritingEnd(_End):
    def send_bytes(self, buf: bytes) -> None:
        data = _LENGTH.pack(len(buf)) + buf
        while data:
            data = data[os.write(self._descriptor, data) :]


def pipe() -> tuple[Reader, Writer]:
    """A pipe for this process and its copies."""
    reading, writing = os.pipe()
    return _ReadingEnd(reading), _WritingEnd(writing)
