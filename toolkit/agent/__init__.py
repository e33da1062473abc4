"""Agents: the loop between a model and its tools, and structured output by a forced tool call."""

__all__: list[str] = []
