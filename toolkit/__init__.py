"""toolkit: the workbench for people who write tools for language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = [
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

if TYPE_CHECKING:
    from .agent.loop import Agent, AgentResult
    from .agent.models import EchoModel, FunctionModel, Model, ScriptedModel, Step
    from .agent.structured import (
        StructuredOutputContext,
        StructuredOutputException,
        StructuredOutputTool,
    )
    from .decorator import FunctionTool, tool
    from .errors import CallRefusedError, ToolkitError
    from .executor import ToolExecutor, concurrent, sequential
    from .findings import Finding, Place
    from .mcp.client import MCPClient
    from .middleware.hook_events import AfterToolCallEvent, BeforeToolCallEvent
    from .registry import ToolRegistry
    from .reload.watcher import ToolWatcher
    from .types import (
        Audio,
        Batch,
        Call,
        Document,
        Handler,
        Image,
        Interrupt,
        Json,
        Message,
        Middleware,
        Resource,
        Text,
        Tool,
        ToolContext,
        ToolProvider,
        ToolResult,
        ToolsChanged,
        ToolSpec,
        ToolUse,
    )
else:
    _HOMES = {
        "agent.loop": ("Agent", "AgentResult"),
        "agent.models": ("EchoModel", "FunctionModel", "Model", "ScriptedModel", "Step"),
        "agent.structured": (
            "StructuredOutputContext",
            "StructuredOutputException",
            "StructuredOutputTool",
        ),
        "decorator": ("FunctionTool", "tool"),
        "errors": ("CallRefusedError", "ToolkitError"),
        "executor": ("ToolExecutor", "concurrent", "sequential"),
        "findings": ("Finding", "Place"),
        "mcp.client": ("MCPClient",),
        "middleware.hook_events": ("AfterToolCallEvent", "BeforeToolCallEvent"),
        "registry": ("ToolRegistry",),
        "reload.watcher": ("ToolWatcher",),
    }
    _HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

    def __getattr__(name: str) -> object:
        """Load a public name on first use (PEP 562)."""
        from importlib import import_module

        if name not in __all__:
            raise AttributeError(f"module 'toolkit' has no attribute {name!r}")
        home = import_module(f".{_HOME_OF.get(name, 'types')}", __name__)
        value = globals()[name] = getattr(home, name)
        return value

    def __dir__() -> list[str]:
        return [*__all__, "__version__"]
