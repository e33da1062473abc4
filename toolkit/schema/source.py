"""Where a function, its parameters, annotations and docstring stand in the bytes of a file."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["FileSource", "FunctionSource", "Span"]

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line: lines and columns count from 1, `end` is the column behind it."""

    line: int
    column: int
    end: int


@dataclass
class FunctionSource:
    """One function; a column counts characters, as an editor does."""

    node: Function
    lines: list[str]

    @cached_property
    def first_line(self) -> int:
        """The line of the first decorator, else of `def`."""
        return min([self.node.lineno, *(each.lineno for each in self.node.decorator_list)])

    @cached_property
    def name(self) -> Span:
        """The name behind `def`."""
        line = self.lines[self.node.lineno - 1]
        at = line.find(self.node.name, self._column(self.node.lineno, self.node.col_offset) + 3)
        return Span(self.node.lineno, at + 1, at + 1 + len(self.node.name))

    @cached_property
    def parameters(self) -> Mapping[str, Span]:
        """Each parameter from its name to the end of its annotation."""
        return {each.arg: self._span(each) for each in self._every}

    @cached_property
    def annotations(self) -> Mapping[str, ast.expr]:
        """The annotations by the parameter's name, `return` for what comes back."""
        found = {each.arg: each.annotation for each in self._every if each.annotation is not None}
        return {**found, **({"return": self.node.returns} if self.node.returns else {})}

    @cached_property
    def _every(self) -> list[ast.arg]:
        given = self.node.args
        starred = [each for each in (given.vararg, given.kwarg) if each is not None]
        return [*given.posonlyargs, *given.args, *given.kwonlyargs, *starred]

    @cached_property
    def defaults(self) -> Mapping[str, ast.expr]:
        """The defaults by the parameter's name."""
        given = self.node.args
        plain = [*given.posonlyargs, *given.args]
        last = zip(reversed(plain), reversed(given.defaults), strict=False)
        found = {each.arg: value for each, value in last}
        pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
        return found | {each.arg: value for each, value in pairs if value is not None}

    @cached_property
    def docstring(self) -> str | None:
        """The docstring as it is written, None without one."""
        return ast.get_docstring(self.node, clean=False)

    @cached_property
    def docstring_lines(self) -> range:
        """The lines of the docstring, empty without one."""
        if self.docstring is None:
            return range(0)
        text = self.node.body[0]
        return range(text.lineno, (text.end_lineno or text.lineno) + 1)

    @cached_property
    def end_of_signature(self) -> int:
        """The line before the first statement, at least that of `def`."""
        return max(self.node.lineno, self.node.body[0].lineno - 1)

    def documented(self, parameter: str) -> Span | None:
        """Where the docstring speaks of a parameter, in any style; None where it does not."""
        opening = re.compile(
            rf"(?:[:@](?:param|parameter|arg|argument|key|keyword)\b[^:]*?|[*\-]\s+)?"
            rf"[`*]{{0,2}}(?P<name>{re.escape(parameter)})\b[`*]{{0,2}}\s*"
            rf"(?:[:\uff1a(,]|-\s|$)"
        )
        for number in self.docstring_lines:
            line = self.lines[number - 1]
            found = opening.match(line.strip())
            if found:
                at = line.index(found["name"], len(line) - len(line.lstrip()))
                return Span(number, at + 1, at + 1 + len(parameter))
        return None

    def in_docstring(self, words: str) -> Span | None:
        """Where a text of one line stands in the docstring."""
        for number in self.docstring_lines:
            at = self.lines[number - 1].find(words)
            if at >= 0:
                return Span(number, at + 1, at + 1 + len(words))
        return None

    def span(self, node: ast.AST) -> Span:
        """The span of a node inside the function; of several lines, the first."""
        return self._span(node)

    def _span(self, node: ast.AST) -> Span:
        line: int = getattr(node, "lineno", self.node.lineno)
        start = self._column(line, getattr(node, "col_offset", 0))
        end_line = getattr(node, "end_lineno", line)
        whole = len(self.lines[line - 1])
        end = whole if end_line != line else self._column(line, getattr(node, "end_col_offset", 0))
        return Span(line, start + 1, max(end, start) + 1)

    def _column(self, line: int, offset: int) -> int:
        """Python counts bytes of UTF-8; a person counts characters."""
        text = self.lines[line - 1]
        return offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))


@dataclass
class FileSource:
    """A file: its functions are found by the line on which Python says they begin."""

    source: bytes
    path: str | None = None
    _found: dict[int, FunctionSource] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        """The text, by the encoding that the file declares; undecodable bytes are replaced."""
        marked = re.match(rb"(?:[^\n]*\n)?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", self.source)
        encoding = marked[1].decode() if marked else "utf-8-sig"
        try:
            return self.source.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            return self.source.decode("utf-8", errors="replace")

    @cached_property
    def lines(self) -> list[str]:
        """The lines as Python counts them: a form feed ends none."""
        return re.split(r"\r\n|\r|\n", self.text)

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree, empty where the bytes are no Python."""
        try:
            return ast.parse(self.source)
        except (SyntaxError, ValueError):
            return ast.Module([], [])

    @cached_property
    def functions(self) -> Mapping[int, FunctionSource]:
        """Each function by the lines of its `def` and of its first decorator."""
        found: dict[int, FunctionSource] = {}
        for node in _functions(self.tree):
            function = FunctionSource(node, self.lines)
            found.setdefault(node.lineno, function)
            found.setdefault(function.first_line, function)
        return found

    def function_at(self, line: int | None, name: str | None = None) -> FunctionSource | None:
        """The function that begins on a line; of that name, where one is given."""
        found = self.functions.get(line or 0)
        return found if found and name in (None, found.node.name) else None


def _functions(tree: ast.AST) -> Iterator[Function]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield child
            if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                waiting.append(child)
