"""What a tool does is seen by its name and its description, whatever server stands before it."""

from __future__ import annotations

import pytest

from toolkit.lint.deeds import destroys, only_reads, verb_of, writes


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        ("delete_repo", "delete"),
        ("github_delete_repo", "delete"),
        ("slack_search_messages", "search"),
        ("check_delete_permission", "check"),
        ("can_delete_repo", "can"),
        ("github_delete_history", "github"),
        ("order_update", "order"),
        ("stop_search", "stop"),
        ("mail_search", "search"),
        ("cancel_search", "cancel"),
        ("weather", "weather"),
        ("", ""),
    ],
)
def test_the_verb_of_a_name_may_stand_behind_a_server(name: str, verb: str) -> None:
    assert verb_of(tuple(each for each in name.split("_") if each)) == verb


@pytest.mark.parametrize(
    ("name", "text", "by"),
    [
        ("delete_repo", "Works with repositories.", "name"),
        ("delete_repo", "Preview what deleting the repository would remove.", ""),
        ("delete_repo_preview", "Works with repositories.", ""),
        ("delete_repo", "Show the effects without changing a thing.", ""),
        ("delete_repo", "Delete the repository without a question.", "name"),
        ("crm_delete_person", "Get the persons that were deleted.", ""),
        ("remove_background", "Remove the background from an image.", ""),
        ("edit_file", "Make edits to a text file.", "name"),
        ("replace_cells", "Replace text in cells.", "name"),
        ("remove_page", "Remove the page from a book.", "name"),
        ("truncate_to_length", "Truncate a text to so many letters.", ""),
        ("truncate_table", "Truncate a table of the database.", "name"),
        ("strip_marks", "Removes the marks from a text string.", ""),
        ("strip_marks", "Removes the marks from the archive.", "text"),
        ("clear_filters", "Show everything again.", ""),
        ("create_filter", "Filter mails as they come.", "name"),
        ("create_hash", "Create a hash of the words.", ""),
        ("get_key", "Create a free API key for an address.", "text"),
        ("get_user", "Get the user from the database and delete it.", "text"),
        ("get_user", "Get who can read the file and delete it.", ""),
        ("list_jobs", "List jobs and cancel the stale ones.", "text"),
        ("fetch_page", "Fetch a page and remove the ads.", ""),
        ("book_details", "Tell of a book.", ""),
        ("patch_notes", "Get the notes of a game's patch.", ""),
        ("update_check", "Check whether there is a newer version.", ""),
        ("update_check", "Check and update the version.", "name"),
        ("set_words", "Find the words in a file and replace them.", "text"),
        ("book_room", "Book a room.", "name"),
        ("get_user", "Get the user.", ""),
    ],
)
def test_what_changes_something_is_told_from_what_works_on_its_argument(
    name: str, text: str, by: str
) -> None:
    assert writes(tuple(name.split("_")), text) == by


@pytest.mark.parametrize(
    ("name", "text", "by"),
    [
        ("github_delete_repo", "Works with repositories.", "name"),
        ("clean", "Permanently deletes what is old.", "text"),
        ("purge_text", "Purge the marks from a text.", ""),
        ("delete_text", "Works with texts.", "name"),
        ("update_text", "Works with texts.", ""),
        ("drop_table", "Dry run: what would go.", ""),
    ],
)
def test_what_takes_something_away_is_told_from_what_tries(name: str, text: str, by: str) -> None:
    assert destroys(tuple(name.split("_")), text) == by


@pytest.mark.parametrize(
    ("name", "text", "reads"),
    [
        ("slack_search_messages", "Works with messages.", True),
        ("get_user", "Get the user and delete it.", False),
        ("list_jobs", "List jobs and cancel the stale ones.", False),
        ("search_and_replace", "Works with texts.", False),
        ("github_delete_repo", "Works with repositories.", False),
    ],
)
def test_a_tool_that_only_reads_says_nothing_else(name: str, text: str, *, reads: bool) -> None:
    assert only_reads(tuple(name.split("_")), text) is reads
