"""`toolkit watch`: what it says, what it calls again, and how it ends."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.runner import ROOT, run
from tests.cli.watching import session, tool_source, without_times

SNAPSHOT = Path(__file__).parent / "watch" / "session.txt"
READY = "(Ctrl-C ends it)"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "a.py").write_text(tool_source())
    return folder


def test_a_session_on_a_terminal_reads_like_this(tools: Path) -> None:
    """Start, change, break, mend, rename, delete; UPDATE_TRANSCRIPTS=1 writes it anew."""
    path = tools / "a.py"
    steps = [
        (tool_source("rainy"), "the code changed"),
        (tool_source("rainy", "city: str, days: int"), "required"),
        ("def weather(:\n", "stays"),
        (tool_source("rainy", "city: str, days: int = 2"), "optional now"),
    ]
    with session(cwd=tools.parent, terminal=True, NO_COLOR="1") as watching:
        watching.until(READY)
        for source, text in steps:
            path.write_text(source)
            watching.until(text)
        path.rename(tools / "b.py")
        watching.until("moved from")
        (tools / "b.py").unlink()
        watching.until("- weather")
        code, _ = watching.end()
        shown = without_times(watching.shown)
    assert code == 130
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        SNAPSHOT.parent.mkdir(exist_ok=True)
        SNAPSHOT.write_text(shown)
    assert shown == SNAPSHOT.read_text()


def test_a_call_is_made_again_and_shows_how_it_differs(tools: Path) -> None:
    with session("--call", "weather --city Tokyo", cwd=tools.parent) as watching:
        assert "Tokyo: sunny" in watching.until("sunny")
        (tools / "a.py").write_text(tool_source("rainy"))
        assert "-Tokyo: sunny\n      +Tokyo: rainy" in watching.until("+Tokyo")
        (tools / "a.py").write_text(tool_source("rainy") + "# a comment\n")
        assert "nothing changed for a model" in watching.until("same result")


@pytest.mark.parametrize("configured", [True, False])
def test_a_call_passes_the_hooks_too(tools: Path, *, configured: bool) -> None:
    root = tools.parent
    (root / "hooks.py").write_text(
        "from toolkit import BeforeToolCallEvent\n\n\n"
        "def move(event: BeforeToolCallEvent) -> None:\n"
        "    event.tool_use.input['city'] = 'Osaka'\n"
    )
    if configured:
        (root / "pyproject.toml").write_text('[tool.toolkit]\nhooks = ["hooks.py"]\n')
    told = [] if configured else ["--hooks", "hooks.py"]
    with session("--call", "weather --city Tokyo", *told, cwd=root) as watching:
        assert "Osaka: sunny" in watching.until("sunny")


def test_a_call_of_a_broken_file_is_not_made(tools: Path) -> None:
    with session("--call", "weather --city Tokyo", cwd=tools.parent) as watching:
        watching.until("Tokyo: sunny")
        (tools / "a.py").write_text("def (\n")
        watching.until("the last good version stays: weather")
        (tools / "a.py").write_text(tool_source("mended"))
        assert watching.until("+Tokyo: mended").count("> weather") == 1


def test_a_call_that_hangs_is_ended_by_the_next_save(tools: Path) -> None:
    hangs = tool_source().replace("    return", "    import time\n    time.sleep(600)\n    return")
    (tools / "a.py").write_text(hangs)
    with session("--call", "weather --city Tokyo", cwd=tools.parent) as watching:
        watching.until(READY)
        (tools / "a.py").write_text(tool_source("quick"))
        watching.until("Tokyo: quick")
        code, rest = watching.end()
    assert code == 130
    assert "reloaded once" in rest


def test_ctrl_c_ends_it_at_once_whatever_a_file_does_when_it_is_imported(tools: Path) -> None:
    (tools / "b.py").write_text("while True:\n    pass\n")
    (tools / "c.py").write_text("import time\ntime.sleep(600)\n")
    with session(cwd=tools.parent) as watching:
        shown = watching.until(READY)
        assert shown.count("is still being imported after 1 s") == 2
        assert "weather" in shown
        code, rest = watching.end()
    assert code == 130
    assert "reloaded 0 times" in rest


def test_a_call_with_flags_that_no_longer_fit_says_so(tools: Path) -> None:
    with session("--call", "weather --city Tokyo", cwd=tools.parent) as watching:
        watching.until("Tokyo: sunny")
        (tools / "a.py").write_text(tool_source(parameters="city: str, days: int"))
        assert "breaking: 'days': added, integer, required" in watching.until("needs --days")


@pytest.mark.parametrize("allowed", [False, True])
def test_a_destructive_tool_is_called_again_only_if_it_is_allowed(
    tools: Path, *, allowed: bool
) -> None:
    marked = tool_source("gone").replace("@tool", "@tool(annotations={'destructiveHint': True})")
    (tools / "a.py").write_text(marked)
    words = ["--call", "weather --city Tokyo", *(["--destructive"] if allowed else [])]
    with session(*words, cwd=tools.parent) as watching:
        said = watching.until("Tokyo: gone" if allowed else "declares itself destructive")
    assert ("Tokyo: gone" in said) == allowed


def test_a_folder_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    with session("later", cwd=tmp_path) as watching:
        assert "'later' is not there; waiting for it" in watching.until("waiting")
        (tmp_path / "later").mkdir()
        (tmp_path / "later" / "a.py").write_text(tool_source())
        assert "later/a.py:4" in watching.until("+ weather")


def test_a_tool_that_is_not_there_yet_is_waited_for(tools: Path) -> None:
    with session("rain", cwd=tools.parent) as watching:
        assert "there is no tool 'rain' yet" in watching.until("waiting")
        (tools / "b.py").write_text(tool_source(name="rain"))
        assert "tools/b.py:4" in watching.until("+ rain")


def test_what_is_broken_from_the_start_is_said_with_its_line(tools: Path) -> None:
    (tools / "b.py").write_text("x = 1\ny = z\n")
    with session(cwd=tools.parent) as watching:
        shown = watching.until(READY)
        assert "! 'tools/b.py:2' can't be imported: NameError" in shown
        (tools / "b.py").write_text(tool_source(name="rain"))
        assert "+ rain" in watching.until("+ rain")


def test_a_pattern_and_a_name_narrow_what_is_watched(tools: Path) -> None:
    (tools / "b.py").write_text(tool_source(name="rain"))
    for words in (["-k", "we*"], ["weather"]):
        with session(*words, cwd=tools.parent) as watching:
            shown = watching.until(READY)
            assert "weather" in shown
            assert "rain" not in shown


def test_one_object_of_a_module_can_be_watched(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def plain(x: int) -> int:\n    return x\n")
    with session("mine:plain", cwd=tmp_path) as watching:
        assert "plain (x: integer)" in watching.until(READY)
        (tmp_path / "mine.py").write_text("def plain(x: str) -> str:\n    return x\n")
        assert "breaking: 'x': integer → string" in watching.until("breaking")


def test_what_a_tool_prints_never_mixes_with_the_data(tools: Path) -> None:
    source = "import os\nos.write(1, b'noise\\n')\nprint('more noise')\n" + tool_source()
    (tools / "a.py").write_text(source)
    with session("--jsonl", cwd=tools.parent) as watching:
        event = watching.event()
    assert [each["name"] for each in event["tools"]] == ["weather"]


def test_polling_shows_the_same(tools: Path) -> None:
    with session("--poll", cwd=tools.parent) as watching:
        watching.until(READY)
        (tools / "a.py").write_text(tool_source("rainy"))
        assert "~ weather" in watching.until("the code changed")


def test_colours_are_for_terminals(tools: Path) -> None:
    with session(cwd=tools.parent, terminal=True, TERM="xterm") as watching:
        assert "\x1b[1mweather\x1b[0m" in watching.until(READY)
    with session(cwd=tools.parent) as watching:
        assert "\x1b" not in watching.until(READY)


def test_escapes_in_a_description_are_shown_and_never_sent(tools: Path) -> None:
    with session(cwd=tools.parent, terminal=True, NO_COLOR="1") as watching:
        watching.until(READY)
        evil = tool_source().replace("Tell the", "Tell \\x1b]0;owned\\x07 the")
        (tools / "a.py").write_text(evil)
        shown = watching.until("description")
    assert "\x1b" not in shown
    assert "\\x1b]0;owned" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--call", "'open"], "can't be read"),
        (["--call", ""], "names no tool"),
        (["--cal", "x"], "no such option"),
        (["weather", "tools"], "'weather' is neither a file, a folder nor a module"),
    ],
)
def test_wrong_use_is_said_at_once(words: list[str], said: str, tools: Path) -> None:
    ended = run("watch", *words, cwd=tools.parent)
    assert ended.code == 2
    assert said in ended.err.lower()


def test_help_shows_examples(tmp_path: Path) -> None:
    ended = run("watch", "--help", cwd=tmp_path)
    assert ended.code == 0
    assert re.search(r"toolkit watch tools/ --call", ended.out)


def test_the_readme_shows_the_beginning_of_that_session() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = re.findall(r"(?ms)^<!-- watch -->\n```text\n(.*?)\n```$", readme)
    assert len(shown) == 1
    assert SNAPSHOT.read_text().startswith(without_times(shown[0]))
