"""Count the lines of a folder's files: a tool that knows the call it runs in."""

from pathlib import Path

from toolkit import ToolContext, tool


@tool
def count_lines(folder: Path, context: ToolContext, pattern: str = "*.py") -> dict[str, int]:
    """Count the lines of the text files below a folder.

    Args:
        folder: The folder to look into.
        pattern: Which files count, as a glob.
    """
    if not folder.is_dir():
        raise NotADirectoryError(f"no folder at {str(folder)!r}")
    # The state belongs to the caller and is shared by its calls: a cache for what was counted.
    known: dict[tuple[str, int], int] = context.state.setdefault("count_lines", {})
    counts: dict[str, int] = {}
    for path in sorted(folder.rglob(pattern)):
        if context.cancelled.is_set():  # nobody waits for the answer any more
            break
        if not path.is_file():
            continue
        key = (str(path.resolve()), path.stat().st_mtime_ns)
        if key not in known:
            known[key] = len(path.read_bytes().splitlines())
        name = path.relative_to(folder).as_posix()
        counts[name] = known[key]
        context.report(f"{name}: {counts[name]}")
    return counts
