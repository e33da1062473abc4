"""Pairs for the rule that holds hints against names and descriptions."""

from __future__ import annotations

from typing import Any

from toolkit.lint.rules.example import declared

__all__ = ["PAIRS"]

ONLY_READS = {"readOnlyHint": True}

PAIRS: dict[str, list[tuple[Any, Any]]] = {
    "A002": [
        (
            declared(description="Maps.", name="maps_delete_city", annotations=ONLY_READS),
            declared(description="Maps.", name="maps_delete_history", annotations=ONLY_READS),
        ),
        (
            declared(name="maps.search_city", annotations={"destructiveHint": True}),
            declared(name="maps.search_and_drop_city", annotations={"destructiveHint": True}),
        ),
        (
            declared(description="Get a city and delete it.", annotations=ONLY_READS),
            declared(description="Get a city that users may delete.", annotations=ONLY_READS),
        ),
        (
            declared(description="List jobs and cancel the old ones.", annotations=ONLY_READS),
            declared(description="List jobs and count the old ones.", annotations=ONLY_READS),
        ),
        (
            declared(description="Create a new key.", annotations=ONLY_READS),
            declared(description="Create a new chart.", annotations=ONLY_READS),
        ),
        (
            declared(
                description="Remove the head of a file.", name="remove_head", annotations=ONLY_READS
            ),
            declared(
                description="Remove the head of a text.", name="remove_head", annotations=ONLY_READS
            ),
        ),
        (
            declared(description="Delete a city.", name="delete_city", annotations=ONLY_READS),
            declared(
                description="Preview what would go with a city.",
                name="delete_city",
                annotations=ONLY_READS,
            ),
        ),
        (
            declared(description="Clear.", name="clear_cities", annotations=ONLY_READS),
            declared(description="Clear.", name="clear_filters", annotations=ONLY_READS),
        ),
        (
            declared(description="Cancel an order.", name="cancel_order", annotations=ONLY_READS),
            declared(description="Cancel reasons.", name="cancel_order", annotations=ONLY_READS),
        ),
        (
            declared(description="Add a city.", name="add_city", annotations=ONLY_READS),
            declared(
                description="Add two cities' heights.", name="add_city", annotations=ONLY_READS
            ),
        ),
        (
            declared(name="search_city", annotations={"destructiveHint": True}),
            declared(name="search_and_replace_city", annotations={"destructiveHint": True}),
        ),
        (
            declared(name="remove_city", annotations={"destructiveHint": False}),
            declared(name="remove_city", annotations={"destructiveHint": True}),
        ),
        (
            declared(description="Permanently deletes a city.", annotations={"readOnlyHint": True}),
            declared(
                description="Permanently deletes a city.", annotations={"readOnlyHint": False}
            ),
        ),
        (
            declared(annotations={"destructiveHint": True, "readOnlyHint": False}),
            declared(annotations={"destructiveHint": False, "readOnlyHint": False}),
        ),
    ],
}
