"""An OpenTelemetry span and measures for each call, on every path; next to nothing without one."""

from __future__ import annotations

import functools
import logging
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from ..errors import (
    CallRefusedError,
    HookFailedError,
    Interrupt,
    InvalidInputError,
    ToolTimeoutError,
    UnknownToolError,
)
from ..formats.wire import dump

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from opentelemetry.metrics import Counter, Histogram, MeterProvider
    from opentelemetry.trace import Span, Tracer, TracerProvider

    from ..types import Call, Handler, Middleware, ToolResult

__all__ = ["tracing"]

logger = logging.getLogger(__name__)
SCOPE = "toolkit"
# Providers that record nothing: the API's own, before an SDK is configured.
SILENT = {"ProxyTracerProvider", "NoOpTracerProvider", "_ProxyMeterProvider", "NoOpMeterProvider"}
# OpenTelemetry's own switch for what models and tools say.
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
OUTCOMES = {
    ToolTimeoutError: "timeout",
    CallRefusedError: "refused",
    UnknownToolError: "unknown_tool",
    InvalidInputError: "invalid_input",
    HookFailedError: "hook_failed",
}
LONGEST = 64  # signs of a name that a model made up


def tracing(
    *,
    inputs: bool | None = None,
    outputs: bool | None = None,
    tracer_provider: TracerProvider | None = None,
    meter_provider: MeterProvider | None = None,
) -> Middleware:
    """Record each call as a span `execute_tool NAME`, and count and time it.

    Names and attributes are those of the GenAI conventions (`gen_ai.tool.*`, `error.type`), with
    `toolkit.outcome` beside them: success, error, timeout, refused, unknown_tool, invalid_input,
    hook_failed, interrupted or cancelled. The measures `toolkit.tool.calls` and
    `toolkit.tool.duration` (seconds) are labelled by tool and outcome; the names that no tool has
    share one label. What goes in and comes out, an exception's text too, is recorded only on
    request: by these arguments, or by OpenTelemetry's own variable
    `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`. The providers default to the process's.
    """
    wanted = os.environ.get(CAPTURE, "").lower() in ("true", "1", "span_only", "span_and_event")
    recorder = _Recorder(
        inputs=wanted if inputs is None else inputs,
        outputs=wanted if outputs is None else outputs,
    )
    given = tracer_provider is not None or meter_provider is not None

    def traced(call: Call, handle: Handler) -> Awaitable[ToolResult]:
        if not given and "opentelemetry.trace" not in sys.modules:
            return handle(call)  # whoever configures an SDK has imported the API
        api = recorder.api
        traces = tracer_provider or api.trace.get_tracer_provider()
        measures = meter_provider or api.metrics.get_meter_provider()
        if (traces, measures) == recorder.silent:
            return handle(call)
        return recorder.call(call, handle, traces, measures)

    return traced


class _Api:
    """The parts of OpenTelemetry's API that are used here, imported once, when first needed."""

    def __init__(self) -> None:
        from opentelemetry import context, metrics, trace

        self.context, self.metrics, self.trace = context, metrics, trace
        self.internal = trace.SpanKind.INTERNAL
        self.error = trace.StatusCode.ERROR


class _Recorder:
    """Holds the tracer and the instruments of the providers that were met last."""

    def __init__(self, *, inputs: bool, outputs: bool) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.silent: tuple[Any, Any] | None = None  # a pair of providers that records nothing
        self._tracer: tuple[Any, Tracer] | None = None
        self._instruments: tuple[Any, Counter, Histogram] | None = None

    @functools.cached_property
    def api(self) -> _Api:
        """OpenTelemetry's API."""
        return _Api()

    def call(
        self, call: Call, handle: Handler, traces: Any, measures: Any
    ) -> Awaitable[ToolResult]:
        """Record a call, or only pass it on where nobody listens."""
        span = measured = None
        if type(traces).__name__ not in SILENT:
            span = self._started(call, traces)
        if type(measures).__name__ not in SILENT:
            measured = self._measured(measures)
        elif type(traces).__name__ in SILENT:
            self.silent = (traces, measures)
        if span is None and measured is None:
            return handle(call)
        return self._recorded(call, handle, span, measured)

    async def _recorded(
        self,
        call: Call,
        handle: Handler,
        span: Span | None,
        measured: tuple[Counter, Histogram] | None,
    ) -> ToolResult:
        context = self.api.context
        started = time.perf_counter()
        token = None
        if span is not None:
            token = context.attach(self.api.trace.set_span_in_context(span))
        outcome, result = "cancelled", None
        try:
            result = await handle(call)
            outcome = _outcome(result)
        except Interrupt:
            outcome = "interrupted"
            raise
        finally:
            seconds = time.perf_counter() - started
            if token is not None:
                context.detach(token)
            try:
                if span is not None:
                    self._end(span, outcome, result)
                if measured is not None:
                    _measure(measured, call, outcome, seconds)
            except Exception:  # a recorder that fails costs no result
                logger.exception("a call could not be recorded")
        return result

    def _started(self, call: Call, provider: Any) -> Span | None:
        if self._tracer is None or self._tracer[0] is not provider:
            self._tracer = (provider, provider.get_tracer(SCOPE))
        name = str(call.use.name)[:LONGEST]
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": str(call.use.tool_use_id),
        }
        description = _description(call)
        if description:
            attributes["gen_ai.tool.description"] = description
        if self.inputs:
            attributes["gen_ai.tool.call.arguments"] = dump(call.use.input)
        try:
            return self._tracer[1].start_span(
                f"execute_tool {name}", kind=self.api.internal, attributes=attributes
            )
        except Exception:
            logger.exception("no span could be started")
            return None

    def _end(self, span: Span, outcome: str, result: ToolResult | None) -> None:
        span.set_attribute("toolkit.outcome", outcome)
        if result is not None:
            self._describe(span, result)
        elif outcome == "cancelled":
            span.set_attribute("error.type", "cancelled")
            span.set_status(self.api.error, "cancelled")
        span.end()

    def _describe(self, span: Span, result: ToolResult) -> None:
        error = result.exception
        if result.status == "error":
            # what the conventions say of a tool that itself told of a failure
            kind = "tool_error" if error is None else type(error).__qualname__
            span.set_attribute("error.type", kind)
            span.set_status(self.api.error, result.text if self.outputs else kind)
        if "attempts" in result.metadata:
            span.set_attribute("toolkit.attempts", result.metadata["attempts"])
        if self.outputs:
            span.set_attribute("gen_ai.tool.call.result", result.text)
            if error is not None:
                span.record_exception(error)

    def _measured(self, provider: Any) -> tuple[Counter, Histogram]:
        if self._instruments is None or self._instruments[0] is not provider:
            meter = provider.get_meter(SCOPE)
            calls = meter.create_counter("toolkit.tool.calls", "{call}", "Calls of tools.")
            seconds = meter.create_histogram("toolkit.tool.duration", "s", "How long calls took.")
            self._instruments = (provider, calls, seconds)
        return self._instruments[1:]


def _measure(measured: tuple[Counter, Histogram], call: Call, outcome: str, seconds: float) -> None:
    # a name that a model made up is no label, or a model decides how many there are
    name = str(call.use.name) if call.tool is not None else "(unknown)"
    labels = {"gen_ai.tool.name": name, "toolkit.outcome": outcome}
    measured[0].add(1, labels)
    measured[1].record(seconds, labels)


def _description(call: Call) -> str | None:
    try:
        return None if call.tool is None else call.tool.spec.description
    except Exception:  # noqa: BLE001 - a spec that can't be built is the call's own error
        return None


def _outcome(result: ToolResult) -> str:
    if result.status == "success":
        return "success"
    return OUTCOMES.get(type(result.exception), "error")  # type: ignore[arg-type]
