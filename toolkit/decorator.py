"""`@tool`: a function that is also a tool, and still the function."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Mapping, Sequence

    from .schema.signature import Bound, Compiled
    from .types import ToolContext, ToolSpec, ToolUse

__all__ = ["FunctionTool", "tool"]

P = ParamSpec("P")
R = TypeVar("R")
COPIED = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")


class FunctionTool(Generic[P, R]):
    """A function that is also a tool.

    Calling it calls the function as it stands. `spec` and `invoke` are the tool's side; both
    read the signature on first use, and raise `DefinitionError` where it can't be told.
    """

    def __init__(
        self,
        function: Callable[P, R],
        *,
        options: Mapping[str, Any],
        scope: Sequence[types.FrameType] = (),
        made_in: str | None = None,
    ) -> None:
        """`options` are the decorator's; `scope` are the frames around the definition, inner first.

        `made_in` names the module whose code made the tool.
        """
        self.__wrapped__ = function
        for name in COPIED:
            if hasattr(function, name):
                setattr(self, name, getattr(function, name))
        self.options = options
        self.made_in = made_in
        self._scope = scope
        self._compiled: Compiled | None = None
        self._spec: ToolSpec | None = None
        self._kind: str | None = None
        self._run: Any = None
        self._check: Any = None

    @property
    def name(self) -> str:
        """The name that a model calls."""
        return self.options.get("name") or _name_of(self.__wrapped__)

    @property
    def timeout(self) -> float | None:
        """The tool's own deadline in seconds, None for none."""
        return self.options.get("timeout")

    @property
    def max_concurrency(self) -> int | None:
        """How many calls of this tool may run at one time, None for any number."""
        return self.options.get("max_concurrency")

    @property
    def spec(self) -> ToolSpec:
        """What a model is told."""
        if self._spec is None:
            self._spec = self._build_spec()
        return self._spec

    @property
    def compiled(self) -> Compiled:
        """The function's validator and schemas."""
        scope = self._scope  # read first: whoever has built meanwhile lets go of it
        if self._compiled is None:
            from .schema.signature import compile_signature

            self._compiled = compile_signature(
                self.__wrapped__,
                tool=self.name,
                context=self.options.get("context", False),
                scope=scope,
            )
            self._scope = ()  # a frame keeps every local of the definition alive
        return self._compiled

    def _build_spec(self) -> ToolSpec:
        from .types import ToolSpec

        compiled, options = self.compiled, self.options
        schema = options.get("input_schema")
        if schema is not None:
            from .schema.check import normalise

            schema = normalise(schema.get("json", schema), tool=self.name)
        return ToolSpec(
            name=self.name,
            description=options.get("description") or compiled.description or self.name,
            input_schema=schema or compiled.input_schema,
            output_schema=compiled.output_schema,
            annotations=options.get("annotations") or {},
            examples=tuple(options.get("examples") or ()),
        )

    async def invoke(self, use: ToolUse, context: ToolContext) -> Any:
        """Validate the input, inject what the pipeline fills in, run the function."""
        if self._kind is None:
            from .running import kind_of, run

            self._kind, self._run = kind_of(self.__wrapped__), run
        bound = self._bound(use, context)
        context.mark("validate")
        return await self._run(
            self.__wrapped__, self._kind, args=bound.args, kwargs=bound.kwargs, context=context
        )

    def check(self, use: ToolUse, context: ToolContext) -> None:
        """Validate the input and run nothing; raises `InvalidInputError` as a call would."""
        self._bound(use, context)

    def _bound(self, use: ToolUse, context: ToolContext) -> Bound:
        if "input_schema" in self.options:
            self._check_given_schema(use)
        compiled = self._compiled or self.compiled
        bound = compiled.bind(use.input, context)
        context.notes += bound.notes
        return bound

    def _check_given_schema(self, use: ToolUse) -> None:
        """With `input_schema=` both it and the signature must accept."""
        if self._check is None:
            from .schema.check import checker

            self._check = checker(self.options["input_schema"])
        faults = self._check(use.input)
        if faults:
            from .errors import InvalidInputError

            message = "\n".join(f"{path or 'input'}: {why}" for path, why in faults)
            raise InvalidInputError(message, faults=tuple(faults), tool=self.name)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function as it stands."""
        return self.__wrapped__(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> FunctionTool[..., R]:
        getter = getattr(type(self.__wrapped__), "__get__", None)
        if getter is None:
            return self
        bound = getter(self.__wrapped__, instance, owner)
        if bound is self.__wrapped__:
            return self
        return self.rebound(bound)

    def rebound(self, function: Any) -> FunctionTool[..., R]:
        """The same tool of another callable, such as the function bound to an instance."""
        return FunctionTool(function, options=self.options, scope=self._scope, made_in=self.made_in)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FunctionTool):
            return NotImplemented
        same = bool(self.__wrapped__ == other.__wrapped__)
        return same and dict(self.options) == dict(other.options)

    def __hash__(self) -> int:
        return hash(self.__wrapped__)

    def __reduce__(self) -> Any:
        name = getattr(self, "__qualname__", "")
        found: Any = sys.modules.get(getattr(self, "__module__", None) or "")
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is self:
            return name  # by reference, as pickle does with a function
        return _restore, (self.__wrapped__, dict(self.options))

    def __repr__(self) -> str:
        return f"<tool {self.name}>"


def _restore(function: Any, options: dict[str, Any]) -> FunctionTool[..., Any]:
    return FunctionTool(function, options=options)


def _enclosing(frame: types.FrameType | None) -> Sequence[types.FrameType]:
    """A frame and those whose code it stands in, up to the module's, which is not among them."""
    frames: list[types.FrameType] = []
    while frame is not None and frame.f_locals is not frame.f_globals:
        frames.append(frame)
        above = frame.f_back
        if above is None or all(frame.f_code is not each for each in above.f_code.co_consts):
            break
        frame = above
    return frames


def _name_of(function: Any) -> str:
    function = getattr(function, "func", function)  # a partial's
    name = getattr(function, "__name__", None)
    return str(name or type(function).__name__)


@overload
def tool(function: Callable[P, R], /) -> FunctionTool[P, R]: ...
@overload
def tool(
    function: Callable[P, R],
    /,
    *,
    name: str | None = ...,
    description: str | None = ...,
    input_schema: Mapping[str, Any] | None = ...,
    context: bool | str = ...,
    annotations: Mapping[str, Any] | None = ...,
    examples: Sequence[Mapping[str, Any]] | None = ...,
    timeout: float | None = ...,
    max_concurrency: int | None = ...,
) -> FunctionTool[P, R]: ...
@overload
def tool(
    *,
    name: str | None = ...,
    description: str | None = ...,
    input_schema: Mapping[str, Any] | None = ...,
    context: bool | str = ...,
    annotations: Mapping[str, Any] | None = ...,
    examples: Sequence[Mapping[str, Any]] | None = ...,
    timeout: float | None = ...,
    max_concurrency: int | None = ...,
) -> Callable[[Callable[P, R]], FunctionTool[P, R]]: ...
def tool(function: Any = None, /, **options: Any) -> Any:
    """Make a tool of a function, or of anything else that can be called.

    Used as `@tool`, as `@tool(name=…)`, or as `tool(callable, name=…)`. `name` and `description`
    replace the function's own; `input_schema` is shown instead of the signature's (both must then
    accept an input); `context` names the parameter that receives the `ToolContext` where its
    annotation does not say so; `annotations` are hints such as `readOnlyHint`; `examples` are
    inputs; `timeout` is in seconds; `max_concurrency` bounds the calls that run at one time.
    """
    unknown = options.keys() - OPTIONS
    if unknown:
        raise TypeError(f"tool() got an unexpected keyword argument {min(unknown)!r}")
    most = options.get("max_concurrency")
    if most is not None and most < 1:
        raise ValueError("max_concurrency must be at least 1: no call could ever run")
    frame = sys._getframe(1)  # noqa: SLF001 - the one way to the scope of the definition
    scope = _enclosing(frame)
    made_in = frame.f_globals.get("__name__")
    given = {key: value for key, value in options.items() if value is not None}

    def make(decorated: Any) -> FunctionTool[..., Any]:
        if isinstance(decorated, FunctionTool):
            merged = {**decorated.options, **given}
            function = decorated.__wrapped__
            return FunctionTool(function, options=merged, scope=scope, made_in=made_in)
        if not callable(decorated) and not isinstance(decorated, classmethod | staticmethod):
            raise TypeError(f"tool() takes something that can be called, not {decorated!r}")
        return FunctionTool(decorated, options=given, scope=scope, made_in=made_in)

    return make if function is None else make(function)


OPTIONS = frozenset(
    {
        "annotations",
        "context",
        "description",
        "examples",
        "input_schema",
        "max_concurrency",
        "name",
        "timeout",
    }
)
