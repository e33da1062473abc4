"""An agent as a tool of another agent; what its tools ask a human, the outer one asks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInputError
from ..schema.faults import short
from ..types import ToolFinished, ToolInterrupted, ToolProgress, ToolSpec, ToolStarted

if TYPE_CHECKING:
    from ..types import Event, ToolContext, ToolUse
    from .loop import Agent, AgentResult

__all__ = ["AgentTool"]

SCHEMA = {
    "type": "object",
    "properties": {"prompt": {"type": "string", "description": "What to do, in full"}},
    "required": ["prompt"],
}
MOST_PAUSED = 1000  # conversations kept for questions that nobody answers


class AgentTool:
    """An agent as a tool: a prompt in, its last text out.

    Each call is a conversation of its own, which begins with the messages that the agent had when
    the tool was made. A question of an inner tool becomes this call's own, named `TOOL.NAME`; once
    it is answered the inner conversation goes on where it stood. In a process that no longer knows
    that conversation it runs anew, and is given the answers as it comes to the questions.
    """

    options: dict[str, Any] = {}  # noqa: RUF012 - the schema is of our making; nothing changes it

    def __init__(self, agent: Agent, *, name: str, description: str | None = None) -> None:
        self.agent = agent
        self.name = name
        text = description or f"Ask the agent '{name}'."
        self.spec = ToolSpec(name, text, SCHEMA)
        self._messages = tuple(agent.messages)
        self._paused: dict[tuple[str, str], tuple[Agent, AgentResult, Counter[str]]] = {}

    async def invoke(self, use: ToolUse, context: ToolContext) -> Any:
        """Run the prompt to its end; what its tools do is this call's progress."""
        prompt = use.input.get("prompt")
        if not isinstance(prompt, str) or not prompt.strip():
            why = (
                "required, but missing" if prompt is None else f"expected text, got {short(prompt)}"
            )
            faults = (("prompt", why),)
            raise InvalidInputError(f"prompt: {why}", faults=faults, tool=self.name)

        async def sink(event: Event) -> None:
            await context.emit(_told(event))

        key = (use.tool_use_id, prompt)
        agent, result, asked = self._paused.pop(key, (None, None, Counter()))
        if agent is None or result is None:
            agent = self.agent.fork(messages=self._messages)
            result = await agent.call_async(prompt, sink=sink)
        while result.pending:
            waiting = result.pending[0]
            question = waiting.interrupts[0]
            name = f"{waiting.use.name}.{question.name}"
            number = asked[name] + 1
            own = name if number == 1 else f"{name}.{number}"
            if own not in context.answers:
                self._keep(key, (agent, result, asked))
            answer = context.interrupt(own, question.reason)
            asked[name] = number
            answers = {waiting.use.tool_use_id: {question.name: answer}}
            result = await agent.resume_async(answers, sink=sink)
        return str(result)

    def _keep(self, key: tuple[str, str], paused: tuple[Agent, AgentResult, Counter[str]]) -> None:
        while len(self._paused) >= MOST_PAUSED:
            del self._paused[next(iter(self._paused))]
        self._paused[key] = paused


def _told(event: Event) -> dict[str, Any]:
    """An event of an inner tool as a JSON value: what happened, to which tool, and what came."""
    told: dict[str, Any] = {"tool": event.use.name, "toolUseId": event.use.tool_use_id}
    match event:
        case ToolStarted():
            return {"event": "started", **told}
        case ToolProgress():
            return {"event": "progress", **told, "value": event.value}
        case ToolInterrupted():
            asked = [question.name for question in event.interrupts]
            return {"event": "interrupted", **told, "questions": asked}
        case ToolFinished():
            return {"event": "finished", **told, "status": event.result.status}
