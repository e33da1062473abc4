"""One span and one measure for each call, whatever its path; content only on request."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from toolkit import (
    AfterToolCallEvent,
    BeforeToolCallEvent,
    Call,
    ToolContext,
    ToolExecutor,
    ToolResult,
    ToolUse,
    tool,
)
from toolkit.caller import ToolCaller
from toolkit.middleware.tracing import tracing

from .pipeline import executor, run, run_batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opentelemetry.sdk.trace import ReadableSpan


class Recording:
    """Providers that keep what they are given in memory."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.traces = TracerProvider()
        self.traces.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.reader = InMemoryMetricReader()
        self.measures = MeterProvider([self.reader])

    def tracing(self, **options: Any) -> Any:
        return tracing(tracer_provider=self.traces, meter_provider=self.measures, **options)

    @property
    def spans(self) -> Sequence[ReadableSpan]:
        return self.exporter.get_finished_spans()

    @property
    def outcomes(self) -> list[Any]:
        return [span.attributes and span.attributes["toolkit.outcome"] for span in self.spans]

    def points(self, name: str) -> list[Any]:
        data = self.reader.get_metrics_data()
        assert data is not None
        return [
            point
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        ]


@tool
def double(number: int = 1) -> int:
    """Double a number."""
    return 2 * number


@tool
def fail() -> None:
    raise KeyError("secret word")


@tool(timeout=0.05)
async def hang() -> None:
    await asyncio.Event().wait()


@tool
def told() -> dict[str, Any]:
    return {"status": "error", "content": [{"text": "no"}]}


@tool
def ask(context: ToolContext) -> str:
    return str(context.interrupt("sure"))


def refuse(event: BeforeToolCallEvent) -> None:
    if event.tool_use.name == "double" and event.tool_use.input.get("number") == 13:
        event.cancel_tool = "not that one"


def traced(recording: Recording, **options: Any) -> ToolExecutor:
    tools = (double, fail, hang, told, ask)
    return executor(*tools, tracing=recording.tracing(), hooks=[refuse], **options)


def test_a_span_says_what_the_conventions_ask_for() -> None:
    recording = Recording()
    assert run(traced(recording), "double", number=2).text == "4"
    (span,) = recording.spans
    assert (span.name, span.kind) == ("execute_tool double", SpanKind.INTERNAL)
    assert span.status.status_code is StatusCode.UNSET
    assert dict(span.attributes or {}) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "double",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "use-1",
        "gen_ai.tool.description": "Double a number.",
        "toolkit.outcome": "success",
    }


@pytest.mark.parametrize(
    ("name", "input_", "outcome", "error"),
    [
        ("double", {"number": "x"}, "invalid_input", "InvalidInputError"),
        ("double", {"number": 13}, "refused", "CallRefusedError"),
        ("fail", {}, "error", "KeyError"),
        ("hang", {}, "timeout", "ToolTimeoutError"),
        ("told", {}, "error", "tool_error"),
        ("nobody", {}, "unknown_tool", "UnknownToolError"),
        ("no such name", {}, "unknown_tool", "UnknownToolError"),
        ("x" * 70, {}, "unknown_tool", "UnknownToolError"),
    ],
)
def test_every_path_has_its_span(
    name: str, input_: dict[str, Any], outcome: str, error: str
) -> None:
    recording = Recording()
    assert run(traced(recording), name, **input_).status == "error"
    (span,) = recording.spans
    assert recording.outcomes == [outcome]
    assert span.attributes is not None
    assert span.attributes["error.type"] == error
    assert span.attributes["gen_ai.tool.name"] == name[:64]
    assert span.status.status_code is StatusCode.ERROR


def test_a_question_is_an_outcome_and_no_error() -> None:
    recording = Recording()
    batch = run_batch(traced(recording), "ask")
    assert len(batch.pending) == 1
    (span,) = recording.spans
    assert (recording.outcomes, span.status.status_code) == (["interrupted"], StatusCode.UNSET)


def test_a_cancelled_call_has_its_span() -> None:
    recording = Recording()

    async def scene() -> None:
        started = asyncio.Event()

        @tool
        async def wait() -> None:
            started.set()
            await asyncio.Event().wait()

        runner = executor(wait, tracing=recording.tracing())
        call = asyncio.ensure_future(runner.run(ToolUse("use-1", "wait")))
        await started.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(scene())
    (span,) = recording.spans
    assert (recording.outcomes, span.status.status_code) == (["cancelled"], StatusCode.ERROR)


def test_a_direct_call_has_its_span() -> None:
    recording = Recording()
    runner = traced(recording)
    assert ToolCaller(runner.registry, executor=runner).double(4).text == "8"
    assert recording.outcomes == ["success"]


@pytest.mark.parametrize("kind", ["thread", "coroutine", "with a timeout"])
def test_what_a_tool_records_itself_stands_below_its_span(kind: str) -> None:
    recording = Recording()
    tracer = recording.traces.get_tracer("mine")

    def thread() -> None:
        with tracer.start_as_current_span("inside"):
            pass

    async def coroutine() -> None:
        thread()

    work = tool(thread if kind == "thread" else coroutine, name="work")
    if kind == "with a timeout":
        work = tool(coroutine, name="work", timeout=5)
    with tracer.start_as_current_span("outside"):
        asyncio.run(executor(work, tracing=recording.tracing()).run(ToolUse("use-1", "work")))
    inside, call, outside = recording.spans
    assert inside.parent is not None
    assert call.parent is not None
    assert call.context is not None
    assert outside.context is not None
    assert inside.parent.span_id == call.context.span_id
    assert call.parent.span_id == outside.context.span_id


def test_calls_of_one_batch_are_siblings() -> None:
    recording = Recording()
    run_batch(traced(recording), "double", "fail", "double")
    assert [span.parent for span in recording.spans] == [None, None, None]
    assert trace.get_current_span().get_span_context().is_valid is False


def test_attempts_are_one_call() -> None:
    recording = Recording()

    def again(event: AfterToolCallEvent) -> None:
        event.retry = 0.0

    assert run(executor(fail, tracing=recording.tracing(), hooks=[again]), "fail").status == "error"
    (span,) = recording.spans
    assert span.attributes is not None
    assert span.attributes["toolkit.attempts"] == 4
    assert [point.value for point in recording.points("toolkit.tool.calls")] == [1]


def test_nothing_that_goes_in_or_comes_out_is_recorded_unless_asked_for() -> None:
    recording = Recording()
    runner = traced(recording)
    run(runner, "double", number=4711)
    run(runner, "fail")
    run(runner, "double", number="secret word")
    told = "".join(span.to_json() for span in recording.spans)
    assert "secret" not in told
    assert "4711" not in told
    assert "9422" not in told


@pytest.mark.parametrize("how", ["arguments", "variable"])
def test_content_is_recorded_on_request(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = Recording()
    if how == "variable":
        monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
        layer = recording.tracing()
    else:
        layer = recording.tracing(inputs=True, outputs=True)
    runner = executor(double, fail, tracing=layer)
    run(runner, "double", number=2)
    run(runner, "fail")
    doubled, failed = recording.spans
    assert doubled.attributes is not None
    assert json.loads(str(doubled.attributes["gen_ai.tool.call.arguments"])) == {"number": 2}
    assert doubled.attributes["gen_ai.tool.call.result"] == "4"
    assert failed.status.description == "Error: KeyError: key 'secret word' is missing"
    assert [event.name for event in failed.events] == ["exception"]


def test_measures_are_labelled_by_tool_and_outcome_and_made_up_names_share_one() -> None:
    recording = Recording()
    runner = traced(recording)
    for name in ("double", "double", "fail", "made_up_1", "made_up_2", "made up 3"):
        run(runner, name)
    counts = {
        tuple(sorted(point.attributes.values())): point.value
        for point in recording.points("toolkit.tool.calls")
    }
    assert counts == {
        ("double", "success"): 2,
        ("error", "fail"): 1,
        ("(unknown)", "unknown_tool"): 3,
    }
    assert sum(point.count for point in recording.points("toolkit.tool.duration")) == 6


def test_a_recorder_that_fails_costs_no_result(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(SpanProcessor):
        def on_start(self, span: Any, parent_context: Any = None) -> None:
            del span, parent_context
            raise RuntimeError("start")

        def on_end(self, span: Any) -> None:
            del span
            raise RuntimeError("end")

    class BrokenAtTheEnd(Broken):
        def on_start(self, span: Any, parent_context: Any = None) -> None:
            del span, parent_context

    for processor in (Broken(), BrokenAtTheEnd()):
        traces = TracerProvider()
        traces.add_span_processor(processor)
        runner = executor(double, tracing=tracing(tracer_provider=traces))
        assert run(runner, "double", number=2).text == "4"
    assert [record.message for record in caplog.records] == [
        "no span could be started",
        "a call could not be recorded",
    ]


def test_without_an_sdk_a_call_passes_through_unrecorded() -> None:
    seen: list[Any] = []

    async def handle(call: Call) -> ToolResult:
        return ToolResult(call.use.tool_use_id, "success")

    use = ToolUse("use-1", "double")
    call = Call(double, use, ToolContext(use))

    def watched(given: Call) -> Any:
        seen.append(handle(given))
        return seen[-1]

    layer: Any = tracing()
    passed = layer(call, watched)
    assert passed is seen[0]  # the very coroutine: no frame, no task between
    passed.close()


def test_the_api_is_loaded_by_whoever_configures_an_sdk(tmp_path: Path) -> None:
    script = """\
import asyncio, sys
from toolkit import ToolExecutor, ToolRegistry, ToolUse, tool

@tool
def double(number: int) -> int:
    return 2 * number

executor = ToolExecutor(ToolRegistry([double]))
use = ToolUse("use-1", "double", {"number": 2})
asyncio.run(executor.run(use))
assert not [name for name in sys.modules if name.startswith("opentelemetry")]
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
asyncio.run(executor.run(use))
exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)
asyncio.run(executor.run(use))
print([span.name for span in exporter.get_finished_spans()])
"""
    ended = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.stderr, ended.stdout) == ("", "['execute_tool double']\n")
