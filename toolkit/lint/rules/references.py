"""References: those that lead nowhere, away, back to themselves, or stand with company."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...errors import SchemaTooDeepError
from ...findings import Severity
from ...schema.references import Trouble, troubled_refs
from ...schema.walk import target, unescaped
from ..rule import Fault, rule
from .example import CITY, taking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Path, Using
    from ..subject import Subject

__all__: list[str] = []


def _troubles(tool: Subject, trouble: Trouble) -> Iterator[tuple[Path, str]]:
    for part, schema in (("inputSchema", tool.input_schema), ("outputSchema", tool.output_schema)):
        if not isinstance(schema, Mapping):
            continue
        try:
            found = [each for each in troubled_refs(schema) if each.trouble is trouble]
        except SchemaTooDeepError:
            continue  # that is said by a rule of its own
        yield from (((part, *each.path, each.keyword), each.ref) for each in found)


@rule(
    "S003 dangling-ref",
    Severity.ERROR,
    bad=taking({"$ref": "#/$defs/City"}),
    good=taking({"$ref": "#/$defs/City"}, defs={"City": CITY}),
    evidence="every provider refuses it or drops the parameter",
)
def dangling_ref(tool: Subject, using: Using) -> Iterator[Fault]:
    """A reference leads to nothing in the schema.

    A provider refuses the tool, or the model is told nothing of the parameter.
    """
    del using
    for at, ref in _troubles(tool, Trouble.DANGLING):
        yield Fault(f"the reference '{ref}' leads nowhere", at, hint="add what it names to $defs")


@rule(
    "S004 external-ref",
    Severity.ERROR,
    bad=taking({"$ref": "https://example.com/city.json"}),
    good=taking({"$ref": "#/$defs/City"}, defs={"City": CITY}),
    evidence="no provider fetches it; a client that does can be sent anywhere (SSRF)",
)
def external_ref(tool: Subject, using: Using) -> Iterator[Fault]:
    """A reference leads out of the schema, to a file or a URL.

    Nobody should fetch it: what stands there can change, or be inside someone's network.
    """
    del using
    for at, ref in _troubles(tool, Trouble.EXTERNAL):
        message = f"the reference '{ref}' leads out of the schema, and is not followed"
        yield Fault(message, at, hint="put what it names under $defs")


_NODE = {
    "type": "object",
    "description": "A region and the regions in it.",
    "properties": {
        "name": CITY,
        "inner": {
            "type": "array",
            "items": {"$ref": "#/$defs/Node"},
            "description": "The regions that lie in it.",
        },
    },
}


@rule(
    "S005 recursive-schema",
    Severity.ERROR,
    bad=taking({"$ref": "#/$defs/Node"}, defs={"Node": {"$ref": "#/$defs/Node"}}),
    good=taking({"$ref": "#/$defs/Node"}, defs={"Node": _NODE}),
    evidence="Anthropic's and Bedrock's guides of strict mode; google-genai refuses a cycle",
)
def recursive_schema(tool: Subject, using: Using) -> Iterator[Fault]:
    """A schema refers to itself without a step into the value, or at all where that is refused.

    The first can never be decided. The second, a tree, is fine in general; the strict modes of
    Anthropic and Bedrock, and Gemini's OpenAPI form, refuse it.
    """
    for at, ref in _troubles(tool, Trouble.LOOP):
        yield Fault(f"the reference '{ref}' only leads back to itself", at)
    for profile in using.profiles:
        if profile.get("refs") not in ("tree", "none"):
            continue
        for path in _cycles(tool.input_schema):
            message = f"the schema contains itself, which {profile.name} refuses"
            yield Fault(message, ("inputSchema", *path), profile=profile.name)


def _cycles(schema: Any) -> list[Path]:
    """The references that stand inside what they refer to."""
    from_path: dict[Path, Path] = {}
    waiting: list[tuple[Path, Any]] = [((), schema)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping):
            ref = value.get("$ref")
            steps = unescaped(ref) if isinstance(ref, str) else None
            found = target(schema, steps) if steps is not None else None
            if found is not None:
                from_path[path] = found[0]
            waiting += [((*path, key), one) for key, one in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, at), one) for at, one in enumerate(value)]
    return [(*path, "$ref") for path in from_path if _returns(path, from_path)]


def _returns(start: Path, refs: Mapping[Path, Path]) -> bool:
    """Whether following references from here leads back to what holds this one."""
    waiting, seen = [refs[start]], set()
    while waiting:
        here = waiting.pop()
        if here == start[: len(here)]:
            return True
        if here not in seen:
            seen.add(here)
            waiting += [goal for path, goal in refs.items() if path[: len(here)] == here]
    return False


@rule(
    "S019 ref-with-siblings",
    Severity.WARNING,
    bad=taking({"$ref": "#/$defs/City", "description": "Where to look."}, defs={"City": CITY}),
    good=taking({"$ref": "#/$defs/City"}, defs={"City": CITY}),
    evidence="OpenAI's guide of structured outputs: $ref stands alone",
    profiles=("openai-strict",),
)
def ref_with_siblings(tool: Subject, using: Using) -> Iterator[Fault]:
    """Something stands beside a `$ref`, for a provider that wants it alone.

    OpenAI's strict mode refuses the tool for it.
    """
    del using
    for path, _, schema in tool.spots:
        if isinstance(schema, Mapping) and "$ref" in schema and path:
            others = [key for key in schema if key != "$ref"]
            if others:
                yield Fault(
                    f"{', '.join(others)} beside $ref: openai-strict wants it alone",
                    ("inputSchema", *path, "$ref"),
                    hint="write what it refers to in its place",
                    profile="openai-strict",
                )
