"""What this installation of Paddock is, and where it keeps what is the user's alone."""

from __future__ import annotations

import hashlib
import os
from importlib import metadata
from pathlib import Path

from paddock.options import Options
from paddock.store.database import Store
from paddock.store.sealing import SealedRecords, secret_in
from paddock.version import __version__

SOLVERS = ("z3-solver", "cvc5", "bitwuzla")


def sealed_records(store: Store, options: Options) -> SealedRecords:
    """The records of a store that this installation has sealed, when it used the same solver."""
    return SealedRecords(store, secret_in(_state_folder()), f"{_identity()} {options.smt.solver}")


def _state_folder() -> Path:
    given = os.environ.get("XDG_STATE_HOME", "")
    return Path(given or os.path.expanduser("~/.local/state")) / "paddock"


def _identity() -> str:
    """A text that is another one when the code of Paddock, or of a solver, is: what was a proof may be none then."""
    package = Path(__file__).parents[1]
    known = [__version__]
    for name in SOLVERS:
        try:
            known.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    for folder, folders, files in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            status = os.stat(os.path.join(folder, name))
            known.append(f"{folder}/{name} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(known).encode()).hexdigest()
