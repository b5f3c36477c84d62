"""Measures a figure of a paper: its table, its plot, on what data, and how that differs from the paper's.

python -m bench                    lists the figures
python -m bench dag-3              measures one
python -m bench dag-3 --fast       the same on a few small inputs, in seconds
python -m bench all --fast         all of them
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from figures import FIGURES, Figure, fast_arguments  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [figure.name for figure in FIGURES]
    parser.add_argument("figure", nargs="?", choices=[*names, "all"], metavar="FIGURE")
    parser.add_argument("--fast", action="store_true", help="a few small inputs, to see that it works")
    parser.add_argument("--out", type=Path, default=Path("build/bench"), help="for results (default: %(default)s)")
    args = parser.parse_args()
    if args.figure is None:
        width = max(map(len, names))
        print("\n".join(f"{figure.name.ljust(width)}  {figure.what}" for figure in FIGURES))
        return 0
    chosen = [figure for figure in FIGURES if args.figure in (figure.name, "all")]
    return max(measured(figure, args.fast, args.out / figure.name) for figure in chosen)


def measured(figure: Figure, fast: bool, out: Path) -> int:
    """Measure a figure; its results are in a folder. Gives the exit status of the program."""
    print(f"{figure.what}\nHow it differs: {figure.differs}.\n", flush=True)
    if not fast and figure.needs is not None and not figure.needs.exists():
        print(f"there is no data: {figure.needs} is not there; --fast needs none", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        arguments = fast_arguments(figure, Path(folder)) if fast else list(figure.full)
        command = [sys.executable, str(HERE / figure.program), *arguments, "--out", str(out)]
        return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
