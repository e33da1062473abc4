"""A folder of tools for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reload.folder import Folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "tools").mkdir()
    return Folder(tmp_path / "tools")
