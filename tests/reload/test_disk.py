"""What vouches for a file's content, and what does not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolkit.reload import disk
from toolkit.reload.disk import Disk, Source, find

LONG_AGO = 1_000_000_000 * 10**9


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were read."""
    found: list[Path] = []
    read_bytes = Path.read_bytes

    def noted(path: Path) -> bytes:
        found.append(path)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    return found


def test_two_writes_that_bear_one_time_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a file system that tells only whole seconds apart."""
    true = disk.signature
    second = 10**9

    def coarse(path: Path) -> disk.Signature | None:
        found = true(path)
        if found is None:
            return None
        return found._replace(
            written=found.written // second * second, changed=found.changed // second * second
        )

    monkeypatch.setattr(disk, "signature", coarse)
    path = tmp_path / "a.py"
    content = Disk()
    digests = set()
    for number in range(10):
        path.write_text(f"V = {number}\n")
        digests.add(content.digest(path))
    assert len(digests) == 10


def test_an_old_file_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: list[Path]
) -> None:
    true = disk.signature

    def old(path: Path) -> disk.Signature | None:
        found = true(path)
        return found and found._replace(written=LONG_AGO, changed=LONG_AGO)

    monkeypatch.setattr(disk, "signature", old)
    path = tmp_path / "a.py"
    path.write_text("V = 1\n")
    content = Disk()
    assert content.digest(path) == content.digest(path)
    assert reads == [path]
    content.keep_only(set())
    content.digest(path)
    assert reads == [path, path]


def test_a_time_that_was_set_back_does_not_hide_a_write(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    content = Disk()
    digests = set()
    for number in range(3):
        path.write_text(f"V = {number}\n")
        os.utime(path, ns=(LONG_AGO, LONG_AGO))
        digests.add(content.digest(path))
    assert len(digests) == 3


def test_a_file_that_is_not_there_has_no_content(tmp_path: Path) -> None:
    assert Disk().digest(tmp_path / "a.py") is None
    assert Disk().digest(tmp_path) is None


@pytest.mark.parametrize(
    ("given", "path", "expression"),
    [
        ("tools", "tools", None),
        ("a.py", "a.py", None),
        ("a.py:weather", "a.py", "weather"),
        ("sub/a.py:make()", "sub/a.py", "make()"),
        ("not/yet", "not/yet", None),
    ],
)
def test_a_source_is_a_path_or_one_object_of_a_file(
    given: str,
    path: str,
    expression: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Source.of(given) == Source(tmp_path / path, expression)


@pytest.mark.parametrize(
    ("sources", "expressions"),
    [
        (["a.py:one", "a.py:two"], ("one", "two")),
        (["a.py:one", "a.py"], ()),
        (["a.py", "a.py:one"], ()),
        (["a.py:one", "."], ()),
    ],
)
def test_a_file_that_is_named_twice_is_there_once(
    sources: list[str],
    expressions: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("")
    found = find([Source.of(each) for each in sources])
    assert [(path.name, which) for path, (_, which) in found.tools.items()] == [
        ("a.py", expressions)
    ]
