"""How much of the labelled corpus lint finds, and how much of what it says is right."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolkit.lint.declarations import read_file, read_text
from toolkit.lint.loaded import subjects_of
from toolkit.lint.runner import lint
from toolkit.lint.settings import from_table
from toolkit.registry import ToolRegistry

if TYPE_CHECKING:
    from toolkit.findings import Finding

__all__ = ["Score", "clean", "planted", "score"]

CORPUS = Path(__file__).parent / "corpus"


@dataclass
class Score:
    """Counts, and the words for what was missed and what was wrongly said."""

    planted: int = 0
    clean: int = 0
    right: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The share of the planted defects that was found."""
        return (self.planted - len(self.missed)) / self.planted

    @property
    def precision(self) -> float:
        """The share of the findings that was right."""
        return self.right / (self.right + len(self.wrong))

    def __str__(self) -> str:
        found = self.planted - len(self.missed)
        return (
            f"{found} of {self.planted} planted defects found (recall {self.recall:.1%});"
            f" {len(self.wrong)} wrong among {self.right + len(self.wrong)} findings"
            f" (precision {self.precision:.1%}); {self.clean} clean tools"
        )


def planted() -> list[tuple[str, dict[str, Any]]]:
    """Every case with a planted defect, named by its file and number.

    `expects` is the code that has to be said, `also` what is right besides.
    """
    return [
        (f"{path.stem}/{number}", case)
        for path in sorted((CORPUS / "planted").glob("*.json"))
        for number, case in enumerate(json.loads(path.read_text("utf-8")))
    ]


def found_in(case: dict[str, Any]) -> list[Finding]:
    """What lint says of one planted case."""
    document = read_text(json.dumps(case["tools"]))
    settings = from_table({"for": case.get("for", [])})
    return lint(document.subjects, settings, problems=document.problems).findings


def clean() -> list[tuple[str, int, list[Finding]]]:
    """What lint says of each file of clean tools, as a set, and how many tools it has."""
    found = []
    for path in sorted((CORPUS / "clean").iterdir()):
        if path.suffix == ".py":
            registry = ToolRegistry(str(path))
            subjects, problems = subjects_of(registry.tools), registry.problems
        elif path.suffix == ".json":
            document = read_file(path)
            subjects, problems = document.subjects, document.problems
        else:
            continue
        report = lint(subjects, from_table({}), problems=problems)
        found.append((path.name, report.tools, report.findings))
    return found


def score() -> Score:
    """The whole corpus, counted."""
    total = Score()
    for name, case in planted():
        codes = [each.code for each in found_in(case)]
        total.planted += 1
        right = {case["expects"], *case.get("also", [])}
        if case["expects"] not in codes:
            total.missed.append(f"{name}: {case['expects']}")
        total.right += sum(code in right for code in codes)
        total.wrong += [f"{name}: {code}" for code in codes if code not in right]
    for name, tools, findings in clean():
        total.clean += tools
        total.wrong += [f"{name}: {each.code} {each.tool} {each.message}" for each in findings]
    return total


if __name__ == "__main__":
    result = score()
    print(result)  # noqa: T201 - it is the command's answer
    for line in (*(f"missed {one}" for one in result.missed), *result.wrong):
        print(line)  # noqa: T201
