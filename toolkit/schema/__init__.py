"""Schemas: from a function's signature, from its docstring, and from other people."""

__all__: list[str] = []
