"""Hints that the tool's own code does not keep."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from ...findings import Severity
from ..rule import Fault, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...schema.source import FunctionSource
    from ..rule import Using
    from ..subject import Subject
from ..pattern import Pattern

__all__: list[str] = []

_CALLS = frozenset(
    [
        "os.remove",
        "os.unlink",
        "os.rmdir",
        "os.removedirs",
        "os.rename",
        "os.renames",
        "os.replace",
        "os.truncate",
        "os.mkdir",
        "os.makedirs",
        "os.chmod",
        "os.chown",
        "os.kill",
        "shutil.rmtree",
        "shutil.move",
        "shutil.copy",
        "shutil.copy2",
        "shutil.copyfile",
        "shutil.copytree",
        "os.link",
        "os.symlink",
        "os.killpg",
        "send2trash.send2trash",
        "requests.put",
        "requests.patch",
        "requests.delete",
        "httpx.put",
        "httpx.patch",
        "httpx.delete",
    ]
)
# Methods that no reading object has: of paths, of clients of databases and mail, of S3.
_METHODS = frozenset(
    [
        "write_text",
        "write_bytes",
        "unlink",
        "rmdir",
        "rmtree",
        "touch",
        "symlink_to",
        "hardlink_to",
        "insert_one",
        "insert_many",
        "update_one",
        "update_many",
        "replace_one",
        "delete_one",
        "delete_many",
        "bulk_write",
        "put_object",
        "put_item",
        "delete_item",
        "delete_object",
        "delete_objects",
        "upload_file",
        "upload_fileobj",
        "sendmail",
        "send_message",
        "executescript",
    ]
)
_SQL = Pattern(
    r"\s*(?:insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+\w+|truncate\s|"
    r"alter\s+table|create\s+table|replace\s+into)",
    re.IGNORECASE,
)
_SHELL = Pattern(
    r"(?:sudo\s+)?(?:(?:rm|rmdir|mv|cp|dd|mkfs|kill|pkill|killall|shutdown|reboot|truncate|chmod"
    r"|chown|mkdir|touch|tee|useradd|userdel)\b"
    r"|(?:systemctl|launchctl)\s<gap>(?:start|stop|restart|reload|enable|disable|mask)\b"
    r"|service\s\S+\s(?:start|stop|restart|reload)\b"
    r"|git\s<gap>(?:push|commit|reset|checkout|clean|merge|rebase|add|rm|mv|pull)\b"
    r"|(?:docker|podman)\s<gap>(?:rm|rmi|run|stop|kill|restart|push|compose (?:up|down))\b"
    r"|(?:kubectl|helm|terraform)\s<gap>(?:apply|delete|create|scale|patch|edit|install|upgrade"
    r"|uninstall|destroy|drain)\b"
    r"|(?:pip3?|npm|apt|apt-get|yum|dnf|brew)\s<gap>(?:install|uninstall|remove|upgrade|purge)\b"
    r"|sed\s<gap>-i\b|curl\s<gap>(?:-X|--request)\s?(?:PUT|PATCH|DELETE)\b)".replace(
        "<gap>", r"(?:-\S+\s(?:[^\s-]\S*\s)?)*?"
    )
)
_STARTS = ("subprocess.", "os.system", "os.popen", "asyncio.create_subprocess_")


@rule(
    "A003 hint-vs-source",
    Severity.ERROR,
    bad='''
from pathlib import Path
from toolkit import tool

@tool(annotations={"readOnlyHint": True})
def note(text: str) -> str:
    """Keep a line of text in the notes.

    Args:
        text: The line to keep.
    """
    Path("notes.txt").write_text(text)
    return "kept"
''',
    good='''
from pathlib import Path
from toolkit import tool

@tool(annotations={"readOnlyHint": True})
def note(text: str) -> str:
    """Keep a line of text in the notes.

    Args:
        text: The line to keep.
    """
    Path("notes.txt").read_text()
    return "kept"
''',
    evidence="hints are promises: MCP 2026-07-28 calls them untrusted",
)
def hint_vs_source(tool: Subject, using: Using) -> Iterator[Fault]:
    """A tool says that it reads only, and its own code writes, deletes, moves or kills.

    A host does not ask before it calls what it takes to be harmless. What a helper does is not
    seen, nor what goes to a temporary file.
    """
    del using
    if tool.source is None or tool.hints.get("readOnlyHint") is not True:
        return
    if "tempfile" in ast.unparse(tool.source.node):
        return
    for node, what in _effects(tool.source):
        span = tool.source.span(node)
        yield Fault(
            f"readOnlyHint is true, and the code calls {what}",
            ("annotations", "readOnlyHint"),
            place=tool.at_line(span.line, span.column),
        )


def _effects(source: FunctionSource) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(source.node):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        method = name.rpartition(".")[2]
        if name in _CALLS or (method in _METHODS and "." in name):
            yield node, name
        elif name in ("open", "io.open") or (method == "open" and "." in name):
            if _writes(node, first=1 if name in ("open", "io.open") else 0):
                yield node, f"{name} to write"
        elif method in ("execute", "executemany") and _text(node.args[:1], _SQL):
            yield node, f"{name} with a statement that writes"
        elif name.startswith(_STARTS) and _SHELL.match(_command(node)):
            yield node, name


def _writes(node: ast.Call, *, first: int) -> bool:
    modes = [*node.args[first : first + 1], *(k.value for k in node.keywords if k.arg == "mode")]
    return any(
        isinstance(each, ast.Constant)
        and isinstance(each.value, str)
        and re.fullmatch(r"[rwaxbt+U]{1,4}", each.value)
        and set(each.value) & set("wax+")
        for each in modes
    )


def _text(nodes: list[ast.expr], wanted: Pattern) -> bool:
    for node in nodes:
        wrapped = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("text")
        each = node.args[0] if wrapped and isinstance(node, ast.Call) and node.args else node
        each = each.left if isinstance(each, ast.BinOp) else each
        value = each.values[0] if isinstance(each, ast.JoinedStr) and each.values else each
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return wanted.match(value.value) is not None
    return False


def _command(node: ast.Call) -> str:
    """The words of a command line as far as they are written there; what is computed is `?`."""
    first = node.args[:1]
    if first and isinstance(first[0], ast.List | ast.Tuple):
        words = first[0].elts
    else:
        words = node.args if ast.unparse(node.func).endswith("_exec") else first
    return " ".join(_word(each) for each in words)


def _word(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_word(each) for each in node.values)
    return "?"
