from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolkit import errors
from toolkit.mcp.configuration import Sources, find_server, read_file

if TYPE_CHECKING:
    from toolkit.mcp.servers import Server


@pytest.fixture(autouse=True)
def _nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)


def put(path: str, content: Any) -> Path:
    file = Path(path).expanduser()
    file.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    file.write_text(text, encoding="utf-8")
    return file


def entry(path: str, entry_: dict[str, Any], key: str = "mcpServers") -> Server:
    return find_server("one", given=[put(path, {key: {"one": entry_}})])


NODE = {"command": "node", "args": ["server.js"]}
OLD_ZED = {"command": {"path": "node", "args": ["server.js"]}}


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (".mcp.json", {"mcpServers": {"one": NODE}}),
        ("mcp.json", {"servers": {"one": NODE}}),
        (".vscode/mcp.json", {"servers": {"one": {"type": "stdio", **NODE}}}),
        (".cursor/mcp.json", {"mcpServers": {"one": NODE}}),
        ("~/.claude.json", {"mcpServers": {"one": NODE}}),
        ("~/.config/Claude/claude_desktop_config.json", {"mcpServers": {"one": NODE}}),
        ("~/.cursor/mcp.json", {"mcpServers": {"one": NODE}}),
        ("~/.config/Code/User/mcp.json", {"servers": {"one": NODE}}),
        ("~/.config/Code/User/settings.json", {"mcp": {"servers": {"one": NODE}}}),
        ("~/.copilot/mcp-config.json", {"mcpServers": {"one": NODE}}),
        ("~/.gemini/settings.json", {"theme": "dark", "mcpServers": {"one": NODE}}),
        ("~/.codex/config.toml", '[mcp_servers.one]\ncommand="node"\nargs=["server.js"]\n'),
        ("~/.config/zed/settings.json", {"context_servers": {"one": NODE}}),
        ("~/.config/zed/settings.json", {"context_servers": {"one": OLD_ZED}}),
        ("mcp.json", {"mcpServers": [{"name": "one", **NODE}]}),
        ("mcp.json", {"mcpServers": {"one": {"command": ["node", "server.js"]}}}),
    ],
    ids=str,
)
def test_the_files_of_every_host_are_found(path: str, content: Any) -> None:
    put(path, content)
    server = find_server("one")
    assert (server.name, server.kind, server.argv) == ("one", "stdio", ("node", "server.js"))


def test_the_project_comes_before_the_user_and_a_given_file_before_both() -> None:
    put("~/.claude.json", {"mcpServers": {"one": {"command": "user"}}})
    put(".mcp.json", {"mcpServers": {"one": {"command": "project"}}})
    given = put("given.json", {"mcpServers": {"one": {"command": "given"}}})
    assert find_server("one").argv == ("project",)
    assert find_server("one", given=[given]).argv == ("given",)


def test_claude_codes_own_servers_of_this_folder_come_first() -> None:
    here = str(Path.cwd())
    content = {
        "projects": {here: {"mcpServers": {"one": {"command": "here"}}}},
        "mcpServers": {"one": {"command": "everywhere"}},
    }
    put("~/.claude.json", content)
    assert find_server("one").argv == ("here",)


def test_a_file_of_the_project_is_found_from_a_folder_below(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(".mcp.json", {"mcpServers": {"one": NODE}})
    below = Path("a/b")
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert find_server("one").argv == ("node", "server.js")


def test_comments_and_trailing_commas_are_allowed_and_texts_stay_as_they_are() -> None:
    text = """{
      // a comment
      "mcpServers": { /* another,
      } */
        "one": {"command": "x", "args": ["http://a//b", "/* no */", "a,]", "q\\"//"],},
      },
    }"""
    assert find_server("one", given=[put("x.json", text)]).argv == (
        "x", "http://a//b", "/* no */", "a,]", 'q"//',
    )  # fmt: skip


def test_broken_json_names_file_line_and_column_and_hides_no_other_file() -> None:
    put(".mcp.json", '{\n  // fine\n  "mcpServers": {]\n}')
    put(".cursor/mcp.json", {"mcpServers": {"one": NODE}})
    assert find_server("one").argv == ("node", "server.js")
    with pytest.raises(errors.ConfigError) as caught:
        read_file(Path(".mcp.json"))
    assert ".mcp.json:3:18" in caught.value.message
    with pytest.raises(errors.ConfigError) as missing:
        find_server("two")
    assert ".mcp.json:3:18" in missing.value.message


def test_an_unknown_name_gets_the_closest() -> None:
    put(".mcp.json", {"mcpServers": {"github": NODE}})
    with pytest.raises(errors.ConfigError) as caught:
        find_server("githib")
    assert caught.value.hint == "Did you mean mcp:github?"


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("${A_TOKEN}", "s3cret-value"),
        ("${env:A_TOKEN}", "s3cret-value"),
        ("${NOT_SET:-otherwise}", "otherwise"),
        ("${A_TOKEN:-otherwise}", "s3cret-value"),
        ("${NOT_SET:-}", ""),
        ("x-${A_TOKEN}-${A_TOKEN}", "x-s3cret-value-s3cret-value"),
        ("$A_TOKEN costs 5$", "$A_TOKEN costs 5$"),
        ("${userHome}/x", "HOME/x"),
    ],
)
def test_variables_are_expanded_in_every_field(
    text: str, expanded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_TOKEN", "s3cret-value")
    expanded = expanded.replace("HOME", str(Path.home()))
    server = entry("x.json", {"command": "c", "args": [text], "env": {"V": text}})
    assert server.argv == ("c", expanded)
    assert server.env == {"V": expanded}
    remote = entry("x.json", {"url": "http://h/" + text, "headers": {"X": text}})
    assert remote.url == "http://h/" + expanded
    assert remote.headers == {"X": expanded}


def test_an_unset_variable_is_an_error_that_names_file_key_and_variable() -> None:
    with pytest.raises(errors.ConfigError) as caught:
        entry("x.json", {"command": "c", "env": {"TOKEN": "${NOT_SET}"}})
    message = caught.value.message
    assert "x.json" in message
    assert "mcpServers.one.env.TOKEN" in message
    assert "NOT_SET" in message
    assert caught.value.key == "mcpServers.one.env.TOKEN"


def test_an_input_that_an_editor_asks_for_is_an_error_that_says_so() -> None:
    with pytest.raises(errors.ConfigError) as caught:
        entry("x.json", {"command": "c", "env": {"T": "${input:token}"}}, key="servers")
    assert "servers.one.env.T" in caught.value.message


def test_hosts_that_expand_bare_variables_get_them_expanded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("A_TOKEN", "s3cret-value")
    put("~/.gemini/settings.json", {"mcpServers": {"one": {"command": "c", "args": ["$A_TOKEN"]}}})
    assert find_server("one").argv == ("c", "s3cret-value")


def test_another_entrys_unset_variable_is_no_matter() -> None:
    content = {"mcpServers": {"bad": {"command": "${NOT_SET}"}, "one": NODE}}
    assert find_server("one", given=[put("x.json", content)]).argv == ("node", "server.js")


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"url": "http://h/mcp"}, "http"),
        ({"url": "http://h/mcp", "type": "http"}, "http"),
        ({"url": "http://h/mcp", "type": "streamable-http"}, "http"),
        ({"httpUrl": "http://h/mcp"}, "http"),
        ({"serverUrl": "http://h/mcp"}, "http"),
        ({"url": "http://h/sse"}, "sse"),
        ({"url": "http://h/mcp", "type": "sse"}, "sse"),
        ({"url": "http://h/mcp", "transport": "sse"}, "sse"),
    ],
    ids=str,
)
def test_the_transport_is_inferred(fields: dict[str, str], kind: str) -> None:
    assert entry("x.json", fields).kind == kind


def test_codex_names_variables_for_its_token_headers_and_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("A_TOKEN", "s3cret-value")
    text = """
[mcp_servers.one]
url = "https://h/mcp"
bearer_token_env_var = "A_TOKEN"
http_headers = { "X-Plain" = "p" }
env_http_headers = { "X-Own" = "A_TOKEN" }
[mcp_servers.two]
command = "c"
env_vars = ["A_TOKEN", "NOT_SET"]
"""
    file = put("config.toml", text)
    one, two = (find_server(name, given=[file]) for name in ("one", "two"))
    assert one.headers == {
        "X-Plain": "p",
        "X-Own": "s3cret-value",
        "Authorization": "Bearer s3cret-value",
    }
    assert two.env == {"A_TOKEN": "s3cret-value"}


def test_a_file_of_variables_is_read() -> None:
    put("vars.env", "# no\nexport A='1 2'\nB=x=y\n\nC=\n")
    server = entry("x.json", {"command": "c", "envFile": "vars.env", "env": {"B": "own"}})
    assert server.env == {"A": "1 2", "B": "own", "C": ""}
    with pytest.raises(errors.ConfigError) as caught:
        entry("x.json", {"command": "c", "envFile": "nowhere.env"})
    assert "nowhere.env" in caught.value.message


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "neither"),
        ({"command": 5}, "neither"),
        ({"command": "c", "args": "x"}, "args"),
        ({"command": "c", "env": []}, "env"),
        ({"command": "c", "cwd": 5}, "cwd"),
        ({"url": "http://h", "headers": 1}, "headers"),
    ],
    ids=str,
)
def test_a_wrong_entry_names_file_and_key(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(errors.ConfigError) as caught:
        entry("x.json", fields)
    assert "x.json: mcpServers.one" in caught.value.message
    assert words in caught.value.message


def test_values_that_are_no_text_become_it() -> None:
    server = entry("x.json", {"command": "c", "args": [1], "env": {"A": True, "B": 1, "C": None}})
    assert server.argv == ("c", "1")
    assert server.env == {"A": "true", "B": "1", "C": ""}


def test_a_secret_is_in_no_printed_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_TOKEN", "s3cret-value")
    fields = {"command": "c", "args": ["--api-key", "${A_TOKEN}"], "env": {"T": "other-value"}}
    server = entry("x.json", fields)
    remote = entry(
        "x.json", {"url": "http://u:pass@h/?key=${A_TOKEN}", "headers": {"X": "h-value"}}
    )
    for text in (server.shown, repr(server), remote.shown, remote.target):
        assert "other-value" not in text
        assert "h-value" not in text
        assert "pass@" not in text
        assert "s3cret-value" not in text
    assert server.mask("a s3cret-value b other-value") == "a *** b ***"


def test_disabled_entries_are_listed_as_such() -> None:
    content = {"mcpServers": {"one": {**NODE, "disabled": True}, "two": NODE}}
    found = Sources.read([put("x.json", content), Path("nowhere.json")])
    assert [(one.name, one.disabled) for one in found.entries] == [("one", True), ("two", False)]
