"""The public names: what a user may import, and nothing more by accident."""

from __future__ import annotations

import importlib

import pytest

import toolkit
from tests.architecture.house import package

# A name that goes is a breaking change; a name that comes is a promise.
PUBLIC_NAMES = [
    "AfterToolCallEvent",
    "Agent",
    "AgentResult",
    "Audio",
    "Batch",
    "BeforeToolCallEvent",
    "Call",
    "CallRefusedError",
    "Document",
    "EchoModel",
    "Finding",
    "FunctionModel",
    "FunctionTool",
    "Handler",
    "Image",
    "Interrupt",
    "Json",
    "MCPClient",
    "Message",
    "Middleware",
    "Model",
    "Place",
    "Resource",
    "ScriptedModel",
    "Step",
    "StructuredOutputContext",
    "StructuredOutputException",
    "StructuredOutputTool",
    "Text",
    "Tool",
    "ToolContext",
    "ToolExecutor",
    "ToolProvider",
    "ToolRegistry",
    "ToolResult",
    "ToolSpec",
    "ToolUse",
    "ToolWatcher",
    "ToolkitError",
    "ToolsChanged",
    "concurrent",
    "sequential",
    "tool",
]
MODULES = sorted(m.name for m in package() if m.name not in {"toolkit", "toolkit.__main__"})


def test_the_public_names_are_the_promised_ones() -> None:
    assert sorted(toolkit.__all__) == sorted(PUBLIC_NAMES)


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_a_public_name_can_be_imported(name: str) -> None:
    assert getattr(toolkit, name) is not None
    assert name in dir(toolkit)


def test_an_unknown_name_is_an_attribute_error() -> None:
    name = "no_such_name"
    with pytest.raises(AttributeError, match=name):
        getattr(toolkit, name)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_has_what_it_lists(name: str) -> None:
    module = importlib.import_module(name)
    assert [given for given in getattr(module, "__all__", ()) if not hasattr(module, given)] == []
