"""The commands, each imported only when it is the one that runs."""

__all__: list[str] = []
