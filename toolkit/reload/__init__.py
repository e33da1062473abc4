"""Hot reload: what the file system says becomes "look again", and what changed a report."""

__all__: list[str] = []
