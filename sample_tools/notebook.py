"""Keep notes in memory: a class whose methods are tools, and one instance of it."""

from dataclasses import dataclass, field

from toolkit import tool


@dataclass(frozen=True)
class Note:
    """One note."""

    number: int
    text: str
    tags: tuple[str, ...] = ()


@dataclass
class Notebook:
    """Notes for as long as the process lives; another instance keeps its own."""

    notes: list[Note] = field(default_factory=list)

    @tool
    def add_note(self, text: str, tags: tuple[str, ...] = ()) -> str:
        """Write a note down.

        Args:
            text: What to remember.
            tags: Words to find it by.
        """
        note = Note(len(self.notes) + 1, text, tags)
        self.notes.append(note)
        return f"noted as number {note.number}"

    @tool
    def search_notes(self, query: str = "", tag: str | None = None) -> list[Note]:
        """Find the notes that contain a text; without one, all of them.

        Args:
            query: A part of the text, in any case.
            tag: Only notes with this tag.
        """
        found = [note for note in self.notes if query.casefold() in note.text.casefold()]
        return [note for note in found if tag is None or tag in note.tags]


notebook = Notebook()
