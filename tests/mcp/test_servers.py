from __future__ import annotations

import pytest

from toolkit import errors
from toolkit.mcp.servers import (
    Options,
    Server,
    child_environment,
    from_argv,
    from_word,
    is_server_word,
)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npx -y @modelcontextprotocol/server-everything@2026.8.31 stdio", "server-everything"),
        ("npx server-x", "server-x"),
        ("uvx mcp-server-git --repository .", "mcp-server-git"),
        ("python3.12 /a/b/weather.py --x", "weather"),
        ("python -m my_server", "my_server"),
        ("/usr/bin/node dist/index.js", "index"),
        ("./server", "server"),
        ("docker run -i image/name", "name"),
        ("python", "python"),
    ],
)
def test_a_command_gets_a_short_name(command: str, name: str) -> None:
    assert from_word(f"cmd:{command}").name == name


def test_a_command_is_split_as_a_shell_would() -> None:
    assert from_word("cmd:run 'a b' \"c\" d\\ e").argv == ("run", "a b", "c", "d e")


@pytest.mark.parametrize("word", ["cmd:", "cmd:  ", "cmd:a 'b", "http://", "https:///mcp"])
def test_a_word_that_names_no_server_is_refused(word: str) -> None:
    with pytest.raises(errors.UsageError):
        from_word(word)


def test_servers_are_told_from_files_and_modules() -> None:
    words = ["cmd:x", "mcp:x", "http://h", "https://h", "tools.py", "tools/", "pkg.mod:x", "mcp"]
    assert [is_server_word(word) for word in words] == [True] * 4 + [False] * 4


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["s", "--api-key", "abc"], "s --api-key ***"),
        (["s", "--token=abc", "x"], "s --token=*** x"),
        (["s", "--verbose", "abc"], "s --verbose abc"),
        (["s", "--secret", "--other", "x"], "s --secret --other x"),
    ],
)
def test_a_secret_among_the_arguments_is_not_shown(words: list[str], shown: str) -> None:
    assert from_argv(words).shown == shown


def test_a_secret_in_a_url_is_hidden_in_what_others_say_of_it() -> None:
    server = from_word("https://user:pass-word@h:8/mcp?api_key=key-value&x=ordinary")
    said = "to https://user:pass-word@h/login?api_key=key-value&x=ordinary"
    assert server.mask(said) == "to https://user:***@h/login?api_key=***&x=ordinary"


def test_a_secret_in_a_url_is_not_shown() -> None:
    shown = from_word("https://user:word@h:8/mcp?api_key=abc&x=1").shown
    assert shown == "https://***@h:8/mcp?api_key=***&x=1"


def test_a_child_gets_the_safe_set_its_own_and_no_shell_function() -> None:
    around = {"HOME": "/h", "PATH": "/p", "SECRET_THING": "s", "SHELL": "() { :; }"}
    server = Server("n", "t", env={"OWN": "o", "PATH": "/q"})
    assert child_environment(server, around) == {"HOME": "/h", "PATH": "/q", "OWN": "o"}
    everything = Server("n", "t", inherit_env=True)
    assert child_environment(everything, around) == {
        "HOME": "/h",
        "PATH": "/p",
        "SECRET_THING": "s",
    }


def test_variables_are_passed_on_by_name_or_with_a_value() -> None:
    server = Options(env=("A", "B=2=3")).apply(from_argv(["s"]), {"A": "1"})
    assert server.env == {"A": "1", "B": "2=3"}
    with pytest.raises(errors.UsageError):
        Options(env=("NOT_SET",)).apply(from_argv(["s"]), {})


def test_a_bearer_takes_the_place_of_a_configured_one() -> None:
    remote = Server("n", "t", "http", url="http://h", headers={"authorization": "Bearer old"})
    served = Options(bearer_env="T").apply(remote, {"T": "new-token"})
    assert served.headers == {"Authorization": "Bearer new-token"}
    with pytest.raises(errors.UsageError):
        Options(bearer_env="T").apply(remote, {})


@pytest.mark.parametrize("header", ["no colon", ": x", ""])
def test_a_header_that_is_none_is_refused(header: str) -> None:
    with pytest.raises(errors.UsageError):
        Options(headers=(header,)).apply(Server("n", "t", url="http://h"))
