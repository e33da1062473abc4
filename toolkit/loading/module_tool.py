"""A module in the old style: `TOOL_SPEC` and a function of that name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import DefinitionError, InvalidInputError
from ..findings import Place, shown_path
from ..running import kind_of, run
from ..types import ToolContext, ToolSpec, ToolUse

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["ModuleTool"]


class ModuleTool:
    """Called as `function(tool_use, **state)`; what it returns is wrapped like any other value.

    Its input is checked against its own schema first.
    """

    def __init__(self, module: ModuleType) -> None:
        """Raise `DefinitionError` where the spec or the function is missing."""
        self._spec: Mapping[str, Any] = module.TOOL_SPEC
        path = getattr(module, "__file__", None)
        self.name = str(self._spec.get("name") or "")
        stem = module.__name__.rpartition(".")[2]
        function = getattr(module, self.name, None) or getattr(module, stem, None)
        if not self.name or not callable(function):
            wanted = self.name or stem
            where = shown_path(path) or module.__name__
            message = f"'{where}' has a TOOL_SPEC but no function '{wanted}'"
            raise DefinitionError(message, tool=wanted, path=path)
        self.function = function
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
        self.place = Place(path, line)
        self._check: Any = None

    @property
    def spec(self) -> ToolSpec:
        """The module's own words, the schema as it came."""
        schema = self._schema("inputSchema")
        if schema is None:
            schema = {}
        return ToolSpec(
            self.name,
            str(self._spec.get("description") or self.name),
            schema,
            output_schema=self._schema("outputSchema"),
            annotations=dict(self._spec.get("annotations") or {}),
        )

    def _schema(self, key: str) -> Any:
        schema = self._spec.get(key)
        return schema.get("json", schema) if isinstance(schema, Mapping) else schema

    async def invoke(self, use: ToolUse, context: ToolContext) -> Any:
        """Check the input, then call the function with the use in Bedrock's shape."""
        from ..schema.check import checker

        if self._check is None:
            self._check = checker(self.spec.input_schema)
        faults = self._check(use.input)
        if faults:
            message = "\n".join(f"{path or 'input'}: {why}" for path, why in faults)
            raise InvalidInputError(message, faults=tuple(faults), tool=self.name)
        wire = {"toolUseId": use.tool_use_id, "name": use.name, "input": use.input}
        kind = kind_of(self.function)
        state = dict(context.state)
        return await run(self.function, kind, args=[wire], kwargs=state, context=context)
