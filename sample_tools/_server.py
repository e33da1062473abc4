"""Serve a shelf of books over MCP: tools, a resource and a prompt, over stdio or HTTP."""

# toolkit mcp list -- python sample_tools/_server.py
# toolkit call search_books --text eliot -- python sample_tools/_server.py
# python sample_tools/_server.py --http 8765, then toolkit mcp list http://127.0.0.1:8765/mcp

import sys
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(destructive_hint=True, open_world_hint=False)


class Book(BaseModel):
    """A book on the shelf."""

    title: str
    author: str
    year: int
    pages: int


SHELF = {
    book.title: book
    for book in (
        Book(title="Moby-Dick", author="Herman Melville", year=1851, pages=635),
        Book(title="Middlemarch", author="George Eliot", year=1871, pages=880),
        Book(title="The Time Machine", author="H. G. Wells", year=1895, pages=84),
        Book(title="Walden", author="Henry David Thoreau", year=1854, pages=352),
    )
}
server = MCPServer(
    "shelf",
    version="1.0.0",
    instructions="A small shelf of old books. Search it before you lend one out.",
)


@server.tool(annotations=READS)
def search_books(
    text: Annotated[str, Field(description="A part of a title or of an author's name.")],
    before: Annotated[int | None, Field(description="Only books older than this year.")] = None,
) -> list[Book]:
    """Find books on the shelf by title or author."""
    wanted = text.casefold()
    return [
        book
        for book in SHELF.values()
        if wanted in f"{book.title} {book.author}".casefold()
        and (before is None or book.year < before)
    ]


@server.tool(annotations=WRITES)
def lend_book(title: Annotated[str, Field(description="The whole title.")]) -> str:
    """Take a book off the shelf."""
    if SHELF.pop(title, None) is None:
        raise ToolError(f"There is no “{title}” on the shelf")
    return f"“{title}” is lent out"


@server.tool(annotations=READS)
async def count_pages(context: Context) -> int:
    """Count the pages of all books, one book after the other."""
    total = 0
    for number, book in enumerate(SHELF.values(), 1):
        total += book.pages
        await context.report_progress(number, len(SHELF), book.title)
    return total


@server.resource("book://{title}", mime_type="text/plain")
def book_card(title: str) -> str:
    """Give the card of a book."""
    book = SHELF[title]
    return f"{book.author}: {book.title} ({book.year}), {book.pages} pages"


@server.prompt()
def recommend(mood: str) -> str:
    """Ask for a book that suits a mood."""
    return f"Which book on the shelf suits somebody who feels {mood}? Search it first."


if __name__ == "__main__":
    if sys.argv[1:2] == ["--http"]:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        server.run("stdio")
