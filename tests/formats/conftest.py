from __future__ import annotations

from importlib.util import find_spec

VENDORS = ("anthropic", "botocore", "google.genai", "openai")


def _missing(name: str) -> bool:
    try:
        return find_spec(name) is None
    except ModuleNotFoundError:
        return True


# The vendors' own types judge our output where they are installed (the test extra has them).
collect_ignore = (
    ["test_vendor_recordings.py", "test_vendor_types.py"] if any(map(_missing, VENDORS)) else []
)
if _missing("quicktok"):
    collect_ignore.append("test_vocabulary.py")
