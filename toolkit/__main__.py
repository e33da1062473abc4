"""`python -m toolkit`: answers --version and completion before typer is imported."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and end the process with its exit code."""
    if sys.argv[1:2] == ["--version"]:
        from . import __version__

        sys.stdout.write(f"toolkit {__version__}\n")
        return
    if "_TOOLKIT_COMPLETE" in os.environ:
        from .cli.completion import complete

        complete()
        return
    from .cli.app import run

    run(sys.argv[1:])


if __name__ == "__main__":
    main()
