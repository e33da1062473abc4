"""One run of lint from the command line: subjects, findings, fixes, and the exit code."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import find
from ..errors import LoadError, MCPAuthError, MCPError, ToolkitError
from ..findings import Finding, Place
from ..lint.baseline import hold_back, read, written
from ..lint.declarations import read_file, read_text
from ..lint.fixes import diff, mended
from ..lint.runner import lint
from ..lint.settings import from_table
from .console import say, write
from .reach import asked
from .render.report import form_of, write_report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..config import Config
    from ..lint.declarations import Document
    from ..lint.runner import Report
    from ..lint.settings import Settings
    from ..lint.subject import Subject

__all__ = ["Gathered", "gather", "perform"]


MOST_ROUNDS = 8  # of fixes that make others possible


@dataclass(slots=True)
class Gathered:
    """The subjects of all targets, what is wrong with targets and tools, and the documents."""

    subjects: list[Subject] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    failures: list[ToolkitError] = field(default_factory=list)
    documents: dict[Path, Document] = field(default_factory=dict)


async def perform(
    targets: Sequence[str], given: dict[str, Any], *, pattern: str | None, output: dict[str, Any]
) -> int:
    """Lint, tell, and give the exit code of the contract."""
    config = find()
    table = config.tables.get("lint", {})
    settings = from_table(table, path=str(config.path), given=given)
    form = form_of(output["form"])  # a typing error is told before anything is opened
    baseline = _baseline(settings, config, given)
    known = read(baseline) if baseline else frozenset[str]()
    gathered = await gather(targets, config, pattern=pattern)
    gathered.problems += map(_unloaded, gathered.failures)
    report = lint(gathered.subjects, settings, problems=gathered.problems)
    if output["fix"] or output["diff"]:
        report = _mended(gathered, settings, write_files=not output["diff"])
    if output["write_baseline"] is not None:
        return _write_baseline(report, gathered, Path(output["write_baseline"]))
    stale = hold_back(report, known) if baseline else 0
    if stale:
        say(f"{stale} entries of the baseline are mended: write it again", kind="hint")
    if not output["diff"]:
        write_report(report, form=form)
    return _exit_code(gathered) or int(report.fails(settings.fail_on))


def _baseline(settings: Settings, config: Config, given: dict[str, Any]) -> Path | None:
    """The baseline's file: one that the configuration names stands beside it."""
    if settings.baseline is None:
        return None
    return Path(settings.baseline) if given["baseline"] else config.root / settings.baseline


def _unloaded(error: ToolkitError) -> Finding:
    """A target that could not be loaded or reached, as what it is: a finding."""
    label = "M100 unreachable-server" if isinstance(error, MCPError) else "F001 not-loadable"
    code, _, name = label.partition(" ")
    facts = vars(error)
    place = Place(facts.get("path"), facts.get("line"), server=facts.get("server"))
    return Finding(code, name, error.message, hint=error.hint, place=place, cause=error)


def _exit_code(gathered: Gathered) -> int:
    """3 where something could not be loaded or reached, 4 where a server asks who we are."""
    if any(each.code == "F001" for each in gathered.problems) or any(
        not isinstance(each, MCPAuthError) for each in gathered.failures
    ):
        return 3
    return 4 if gathered.failures else 0


def _write_baseline(report: Report, gathered: Gathered, path: Path) -> int:
    path.write_text(written(report.findings) + "\n", encoding="utf-8")
    say(f"{len(report.findings)} findings are the baseline '{path}'")
    return _exit_code(gathered)


def _mended(gathered: Gathered, settings: Settings, *, write_files: bool) -> Report:
    """Apply the safe edits until nothing more changes; the report of what is left."""
    for path, document in gathered.documents.items():
        current, text, count = document, document.text, 0
        for _ in range(MOST_ROUNDS):
            text, made = mended(current.text, lint(current.subjects, settings).edits)
            if not made:
                break
            count += made
            current = read_text(text, path=str(path))
        if not count:
            continue
        if write_files:
            path.write_text(text, encoding="utf-8")
            say(f"{count} faults mended in '{path}'")
        else:
            for line in diff(document.text, text, path=str(path)):
                write(line)
        own = set(map(id, document.subjects))
        others = [each for each in gathered.subjects if id(each) not in own]
        gathered.subjects = [*others, *current.subjects]
    return lint(gathered.subjects, settings, problems=gathered.problems)


async def gather(targets: Sequence[str], config: Config, *, pattern: str | None) -> Gathered:
    """The subjects of all targets; a failure of one hides none of the others."""
    gathered = Gathered()
    documents = [each for each in targets if _is_document(each)]
    others = [each for each in targets if not _is_document(each)]
    first = bool(targets) and _is_document(targets[0])
    for target in documents if first else ():
        _take_document(Path(target), gathered)
    if others or not targets or asked().command:
        await _take_tools(others, config, gathered, pattern)
    for target in () if first else documents:
        _take_document(Path(target), gathered)
    if pattern is not None:
        gathered.subjects = [each for each in gathered.subjects if _matches(each.label, pattern)]
    if not gathered.subjects and not gathered.problems and not gathered.failures:
        where = ", ".join(f"'{each}'" for each in targets) or "the default sources"
        narrowed = f" whose name matches '{pattern}'" if pattern else ""
        raise LoadError(f"there is no tool in {where}{narrowed}", hint="nothing was found to lint")
    return gathered


def _not_judged_again(problems: Sequence[Finding], found: Sequence[Subject]) -> list[Finding]:
    """What the registry said; not of schemas, where the rules judge the tool's own."""
    judged = {each.label for each in found}
    return [each for each in problems if each.code[:1] != "S" or each.tool not in judged]


def _matches(name: str, pattern: str) -> bool:
    from fnmatch import fnmatchcase

    return fnmatchcase(name, pattern)


def _is_document(target: str) -> bool:
    from ..targets import is_server_word

    return target.endswith((".json", ".jsonl")) and not is_server_word(target)


def _take_document(path: Path, gathered: Gathered) -> None:
    try:
        document = read_file(path)
    except ToolkitError as error:
        gathered.failures.append(error)
        return
    if not document.subjects and not document.problems:
        message = f"'{path}' holds no declaration of a tool"
        gathered.failures.append(LoadError(message, path=str(path)))
        return
    gathered.documents[path] = document
    gathered.subjects += document.subjects
    gathered.problems += document.problems


async def _take_tools(
    targets: Sequence[str], config: Config, gathered: Gathered, pattern: str | None
) -> None:
    from ..lint.loaded import subjects_of
    from ..targets import open_targets

    try:
        async with open_targets(targets, config, pattern=pattern, reach=asked()) as opened:
            for tool in opened.registry.tools:
                opened.registry.spec_of(tool)
            found = subjects_of(opened.registry.tools)
            gathered.subjects += found
            gathered.problems += _not_judged_again(opened.registry.problems, found)
            gathered.failures += opened.failures
            if opened.reached is not None:
                gathered.problems += await opened.reached.stray_output()
    except (LoadError, MCPError) as error:
        if not gathered.subjects and not targets and not asked().command:
            raise
        gathered.failures.append(error)
