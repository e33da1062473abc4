"""Shell completion without typer, by its protocol: the user's code is read, never run."""

from __future__ import annotations

import ast
import os
import shlex
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["candidates", "complete"]

COMMANDS = {
    "spec": ("--format", "--json", "-k"),
    "list": ("--json", "-k"),
    "lint": (
        "--baseline",
        "--diff",
        "--fail-on",
        "--fix",
        "--for",
        "--ignore",
        "--json",
        "--name-prefix",
        "--output-format",
        "--select",
        "--write-baseline",
        "-k",
    ),
    "explain": ("--all", "--json"),
    "call": (
        "--concurrency",
        "--destructive",
        "--format",
        "--hooks",
        "--input",
        "--json",
        "--jsonl",
        "--pdb",
        "--repeat",
        "--respond",
        "--resume",
        "--save",
        "--save-pending",
        "--state",
        "--target",
        "--timeout",
        "--trace",
    ),
    "replay": (
        "--check",
        "--compare",
        "--destructive",
        "--executor",
        "--format",
        "--hooks",
        "--id",
        "--json",
        "--jsonl",
        "--name-prefix",
        "--respond",
        "--resume",
        "--save-pending",
        "--target",
        "--timeout",
        "--trace",
        "--turn",
    ),
    "watch": ("--call", "--destructive", "--hooks", "--jsonl", "--poll", "--timeout", "-k"),
}


def complete() -> None:
    """Answer the shell that asks."""
    kind, _, shell = os.environ["_TOOLKIT_COMPLETE"].partition("_")
    if kind == "source":
        from .app import run

        run([f"--show-completion={shell}"])
    words, word = _asked(shell)
    found = candidates(words, word)
    if shell == "zsh":
        items = "\n".join(f'"{each}"' for each in found)
        sys.stdout.write(f"_arguments '*: :(({items}))'" if found else "_files")
        return
    if shell == "fish" and os.environ.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        raise SystemExit(0 if found else 1)
    sys.stdout.write("\n".join(found))


def _asked(shell: str) -> tuple[list[str], str]:
    """The words before the one that is being typed, and that one."""
    if shell == "bash":
        words = _words(os.environ.get("COMP_WORDS", ""))
        at = int(os.environ.get("COMP_CWORD", "1"))
        return words[1:at], words[at] if at < len(words) else ""
    text = os.environ.get("_TYPER_COMPLETE_ARGS", "")
    words = _words(text)[1:]
    if text.endswith(" ") or not words:
        return words, ""
    return words[:-1], words[-1]


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # an open quote
        return text.split()


def candidates(words: list[str], word: str) -> list[str]:
    """What may stand where `word` is being typed."""
    if not words:
        return [each for each in (*COMMANDS, "--help", "--version") if each.startswith(word)]
    options = COMMANDS.get(words[0], ())
    if word.startswith("-"):
        return [each for each in options if each.startswith(word)]
    if words[0] not in COMMANDS or words[0] == "replay":  # the shell completes files itself
        return []
    targets = [after for flag, after in pairwise(words) if flag == "-t"]
    return sorted(name for name in tool_names(targets) if name.startswith(word))


def tool_names(targets: list[str]) -> set[str]:
    """The names of decorated functions in the targets, or in the default sources, as text."""
    names: set[str] = set()
    for source in targets or _sources():
        path = Path(source)
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            names.update(_names_in(file))
    return names


def _sources() -> list[str]:
    for folder in (Path.cwd(), *Path.cwd().parents):
        settings = folder / "pyproject.toml"
        if settings.is_file():
            try:
                table = tomllib.loads(settings.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                break
            found = table.get("tool", {}).get("toolkit", {}).get("sources", [])
            return [str(folder / each) for each in found] or ["tools"]
    return ["tools"]


def _names_in(file: Path) -> Iterator[str]:
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for each in node.decorator_list:
                called = each.func if isinstance(each, ast.Call) else each
                if getattr(called, "id", getattr(called, "attr", "")) == "tool":
                    yield _given_name(each) or node.name


def _given_name(decorator: ast.expr) -> str | None:
    if isinstance(decorator, ast.Call):
        for keyword in decorator.keywords:
            if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                return str(keyword.value.value)
    return None
