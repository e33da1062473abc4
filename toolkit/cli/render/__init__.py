"""What a person or a machine reads of specs, results, findings and errors."""

__all__: list[str] = []
