"""How each module presents itself: one sentence, the names that it gives, its manner."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.house import Module, expect_none, package, parse

# Modules whose docstring holds more than its sentence, and why.
LONGER = {
    "toolkit/errors.py": "the tree of errors is drawn there",
    "toolkit/threads.py": "why there are workers of our own is told there",
}
# Functions whose parameters somebody else has laid down, and who.
CALLED_BY_OTHERS = {
    "toolkit/loading/finder.py:find_spec": "the import system's path finder",
    "toolkit/loading/finder.py:import_for": "stands in for the builtin __import__",
    "toolkit/mcp/protocol.py:send_raw_request": "a dispatcher of the SDK",
    "toolkit/mcp/protocol.py:notify": "a dispatcher of the SDK",
    "toolkit/mcp/protocol.py:run": "a dispatcher of the SDK",
}
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def _docstrings(modules: list[Module]) -> list[str]:
    found = []
    for module in modules:
        text = ast.get_docstring(module.tree) or ""
        sentence, _, rest = text.partition("\n\n")
        # one full stop at the end; one inside would have a blank and a capital letter behind it
        if not text or not sentence.endswith(".") or re.search(r"[.!?] [A-Z]", sentence):
            found.append(f"{module.path}:1: the docstring is no sentence: {sentence!r}")
        elif rest and module.path not in LONGER:
            found.append(f"{module.path}:1: the docstring is more than one sentence")
    return found


def _given(module: Module) -> list[str] | None:
    """What `__all__` lists, where it stands as a plain list at module level."""
    for node in module.tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=value)
                | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value)
            ):
                names: list[str] = list(ast.literal_eval(value))
                return names
    return None


def _silent(modules: list[Module]) -> list[str]:
    return [
        f"{module.path}:1: no __all__"
        for module in modules
        if _given(module) is None
        and not module.path.endswith("__main__.py")
        and len(module.tree.body) > 1  # a package that gives nothing itself has its docstring alone
    ]


def _heirs(modules: list[Module]) -> list[str]:
    """Classes that inherit from one of ours which is neither Protocol nor exception."""
    classes = {n.name: n for m in modules for n in ast.walk(m.tree) if isinstance(n, ast.ClassDef)}

    def is_open(name: str) -> bool:
        bases = [ast.unparse(base).partition("[")[0] for base in classes[name].bases]
        return any(
            base.endswith(("Protocol", "Exception", "Error", "BaseException"))
            or (base in classes and is_open(base))
            for base in bases
        )

    return [
        f"{module.path}:{node.lineno}: {node.name} inherits from {name}"
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if (name := ast.unparse(base).partition("[")[0]) in classes and not is_open(name)
    ]


def _absolute(modules: list[Module]) -> list[str]:
    """Imports of the package by its name, from inside it."""
    return [
        f"{module.path}:{node.lineno}: {ast.unparse(node)}"
        for module in modules
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "toolkit")
        and node.level == 0
    ]


def _wide(modules: list[Module]) -> list[str]:
    """What `__all__` gives, with a third parameter that may be given by position."""
    return [
        f"{module.path}:{function.lineno}: {function.name} takes {names}"
        for module in modules
        for function in _offered(module)
        if len(names := _positional(function)) > 2
        and f"{module.path}:{function.name}" not in CALLED_BY_OTHERS
    ]


def _offered(module: Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The public functions, and the public methods of the public classes."""
    given = _given(module) or []
    found: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and node.name in given:
            methods = [each for each in node.body if isinstance(each, FUNCTION)]
            found += [each for each in methods if not each.name.startswith("_")]
        elif isinstance(node, FUNCTION) and node.name in given:
            found.append(node)
    return found


def _positional(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    return [name for name in names if name not in {"self", "cls"}]


def test_a_module_says_in_one_sentence_what_it_is_for() -> None:
    expect_none(_docstrings(package()))


def test_a_sample_says_in_one_sentence_what_it_is_for() -> None:
    expect_none(_docstrings(package("sample_tools")))


def test_a_module_lists_what_it_gives() -> None:
    expect_none(_silent(package()))


def test_a_class_inherits_from_ours_only_as_protocol_or_exception() -> None:
    expect_none(_heirs(package()))


def test_parameters_after_the_second_are_given_by_name() -> None:
    expect_none(_wide(package()))


def test_the_package_imports_itself_by_relative_names() -> None:
    expect_none(_absolute(package()))


def test_nothing_is_left_to_be_implemented() -> None:
    left = [
        f"{module.path}:{node.lineno}"
        for module in package()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Raise) and "NotImplementedError" in ast.unparse(node)
    ]
    expect_none(left)


@pytest.mark.parametrize(
    ("docstring", "said"),
    [
        ("", "no sentence"),
        ("Read it", "no sentence"),
        ("Read it. Then write it.", "no sentence"),
        ("Read it.\n\nAnd more.", "more than one"),
    ],
)
def test_a_docstring_that_is_no_sentence_is_seen(docstring: str, said: str) -> None:
    (found,) = _docstrings(parse({"toolkit/a.py": f'"""{docstring}"""\n'}))
    assert said in found


@pytest.mark.parametrize("docstring", ["Read e.g. this.", "Read `a.B` and 3.11 files."])
def test_a_sentence_may_hold_full_stops(docstring: str) -> None:
    assert _docstrings(parse({"toolkit/a.py": f'"""{docstring}"""\n'})) == []


def test_an_heir_and_a_wide_function_are_seen() -> None:
    source = (
        "class P(Protocol): ...\nclass Fit(P): ...\nclass E(ValueError): ...\nclass F(E): ...\n"
        "class A: ...\nclass B(A): ...\n"
        "def f(a, b, c): ...\ndef g(a, b, *, c): ...\ndef h(a, b, c): ...\n"
        "class C:\n    def m(self, a, b, c): ...\n    def n(self, a, b): ...\n"
        "__all__ = ['C', 'f', 'g']\n"
    )
    modules = parse({"toolkit/a.py": source})
    assert _heirs(modules) == ["toolkit/a.py:6: B inherits from A"]
    assert _wide(modules) == [
        "toolkit/a.py:7: f takes ['a', 'b', 'c']",
        "toolkit/a.py:11: m takes ['a', 'b', 'c']",
    ]
    assert _absolute(parse({"toolkit/a.py": "from toolkit.b import c\nfrom .b import c\n"})) == [
        "toolkit/a.py:1: from toolkit.b import c"
    ]
    assert _silent(parse({"toolkit/a.py": "x = 1\ny = 2\n"})) == ["toolkit/a.py:1: no __all__"]
