"""The command line: a door to the core; each command a short pipeline of its functions."""

__all__: list[str] = []
