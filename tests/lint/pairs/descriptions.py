"""Pairs for the rules about names, descriptions, parameters, hints and tokens."""

from __future__ import annotations

from typing import Any

from toolkit.lint.rules.example import CITY, declared, taking

__all__ = ["PAIRS"]

LATER = "todo".upper()  # what no file of the project may hold
FORECAST = "Tell tomorrow's weather in a city."


def source(**parts: str) -> str:
    """A file with one tool, some of its parts changed."""
    text = '''
import os
from toolkit import tool

@tool{hints}
def forecast({signature}) -> str:
    """Tell tomorrow's weather in a city.

    Args:
        {args}
    """
    {body}
    return str(city)
'''
    plain = {
        "hints": "",
        "signature": "city: str, days: int = 1",
        "args": "city: An English city name.\n        days: How many days to tell.",
        "body": "pass",
    }
    return text.format(**{**plain, **parts})


UNIT = 'city: str, unit: str = "C"'
READS = '(annotations={"readOnlyHint": True})'


def about(kind: str, text: str) -> dict[str, Any]:
    """A declaration with a parameter of a type and a description."""
    return taking({"type": kind, "description": text})


def several(second: dict[str, Any]) -> list[dict[str, Any]]:
    """Two declarations, of which the second is given."""
    return [declared(), second]


def wide(count: int) -> dict[str, Any]:
    """A declaration with that many parameters."""
    return declared(
        inputSchema={"type": "object", "properties": {f"city{n}": CITY for n in range(count)}}
    )


def asking(text: str, *names: str) -> dict[str, Any]:
    """A declaration whose parameters have no description of their own; the first is required."""
    properties = {name: {"type": "string"} for name in names or ("query",)}
    required = list(properties)[:1]
    schema = {"type": "object", "properties": properties, "required": required}
    return declared(name="search_news", description=text, inputSchema=schema)


def region(text: str = "Where it lies.", **parts: Any) -> dict[str, Any]:
    """A declaration with a parameter that is an object of a described name and these parts."""
    properties = {"name": CITY, **parts}
    return taking({"type": "object", "description": text, "properties": properties})


def measure(name: str, which: str) -> dict[str, Any]:
    """A tool for one of several numbers about a city."""
    return declared(name=name, description=f"Tell the {which} temperature that a city ever had.")


SYSTEM = "This tool belongs to the weather system, which knows every city of the world."
SYSTEMS = [
    declared(name=f"{word}_value", description=f"{SYSTEM} Give the {text} value.")
    for word, text in (("lower", "lowest"), ("mean", "average"), ("latest", "latest"))
]

PAIRS: dict[str, list[tuple[Any, Any]]] = {
    "N001": [
        (
            several(declared(description="Warn of storms.")),
            several(declared(name="get_storms", description="Warn of storms.")),
        ),
        (
            [declared(name="a_b"), declared(), declared(name="a_b", description="Warn of storms.")],
            [declared(name="a_b"), declared(), declared(name="a_c", description="Warn of storms.")],
        ),
    ],
    "N002": [
        (declared(name="get forecast!"), declared(name="get_forecast")),
        (declared(name="wetter_für_morgen"), declared(name="wetter_fuer_morgen")),
        (declared(name=""), declared(name="get_forecast")),
        (declared(name=7), declared(name="seven_days")),
        (declared(name="fs/read"), declared(name="fs.read")),
    ],
    "N003": [
        (declared(name="a" * 129), declared(name="a" * 64)),
        (declared(name="a" * 65), declared(name="a" * 63)),
    ],
    "N006": [
        (declared(name="run"), declared(name="run_report")),
        (declared(name="do_stuff"), declared(name="do_laundry")),
        (declared(name="my_tool"), declared(name="my_tools_list")),
        (declared(name="process_data"), declared(name="process_refund")),
    ],
    "D010": [
        (about("string", "Must be an integer."), about("string", "Must be written with digits.")),
        (about("integer", "A string with the days."), about("integer", "The days of a string.")),
        (about("string", "true or false"), about("string", "true, false or auto, as a text")),
        (about("boolean", "Whether (string)."), about("boolean", "Whether a string is told.")),
    ],
    "N005": [
        (
            several(declared(name="get-forecast", description="Warn of storms.")),
            several(declared(name="get-storms", description="Warn of storms.")),
        ),
        (
            several(declared(name="Get_Forecast", description="Warn of storms.")),
            several(declared(name="Get_Storms", description="Warn of storms.")),
        ),
    ],
    "N007": [
        (
            several(declared(name="get_f0recast", description="Warn of storms.")),
            several(declared(name="get_f1recast", description="Warn of storms.")),
        ),
        (
            [declared(name="read_cell"), declared(name="read_ce11", description="Warn of storms.")],
            [declared(name="read_cell"), declared(name="read_l1", description="Warn of storms.")],
        ),
    ],
    "N009": [
        (taking(CITY, name="$filter"), taking(CITY, name="filter")),
        (taking(CITY, name="city[]"), taking(CITY, name="city")),
        (taking(CITY, name="c" * 65), taking(CITY, name="c" * 64)),
    ],
    "D001": [
        (declared(description=...), declared()),
        (declared(description="   "), declared()),
        (declared(description=None), declared()),
        (
            "from toolkit import tool\n\n@tool\ndef f():\n    return 1\n",
            'from toolkit import tool\n\n@tool\ndef f():\n    """Count the days."""\n',
        ),
    ],
    "D002": [
        (
            declared(description="This tool forecasts"),
            declared(description="This tool foresees the weather"),
        ),
        (declared(description="Gets forecasts"), declared(description="Gets forecasts by city")),
        (declared(description="Weather."), declared(description="Weather of the week, by city.")),
    ],
    "D003": [
        (
            declared(description=f"Tell the weather. {LATER} add details"),
            declared(description=f"Tell the weather. {LATER} lists are kept"),
        ),
        (declared(description="Auto-generated description."), declared(description=FORECAST)),
        (
            taking({"type": "string", "description": "tbd"}),
            taking({"type": "string", "description": "The TBD list's name."}),
        ),
        (
            taking({"type": "string", "description": "_description_"}),
            taking({"type": "string", "description": "The _description_ field."}),
        ),
        (
            taking({"type": "string", "description": "Description of value."}),
            taking({"type": "string", "description": "Description of the place."}),
        ),
        (declared(description=LATER), declared(description=f"Add an item to the {LATER} list.")),
        (declared(description=f"{LATER}: say what"), declared(description=f"{LATER} is a list.")),
        (declared(description="Tool description here"), declared(description=FORECAST)),
        (declared(description="lorem ipsum dolor sit amet"), declared(description=FORECAST)),
        (
            taking({"type": "string", "description": "TBD"}),
            taking({"type": "string", "description": "The city, or TBD where it is not known."}),
        ),
        (declared(description="Describe this tool."), declared(description="Describe a picture.")),
        (
            declared(description="Grant rights, as in [<add_address>, <address2>]."),
            declared(description="Grant rights, as in [<address1>, <address2>]."),
        ),
    ],
    "D004": [
        (declared(description=f"{FORECAST} " * 130), declared(description=f"{FORECAST} " * 50)),
        (
            declared(description="天気を教えます。" * 600),
            declared(description="天気を教えます。" * 200),
        ),
    ],
    "D006": [
        (region(number={"type": "integer"}), region(number={**CITY})),
        (region(number={"type": "integer"}), region(number={"type": "integer"}, name={})),
        (
            region(number={"type": "integer"}),
            region("A region by name and number.", number={"type": "integer"}),
        ),
        (region(number={"type": "integer"}), region(number={"enum": ["one", "two"]})),
        (region(width={"type": "integer"}), region(width_cm={"type": "integer"})),
        (asking("A wrapper around a search."), asking("Search.Input should be a query.")),
        (asking("Find news. No input is a query."), asking("Find news; the input is a query.")),
        (asking("Find news for a user input."), asking("Find news.\n\nInput: a search query.")),
        (
            asking("Find news. Input should be a query.", "query", "days"),
            asking("Find news. Input should be a query. `days` go back.", "query", "days"),
        ),
        (taking({"type": "integer"}), taking({"type": "integer", "description": "The days."})),
        (taking({**CITY, "description": ""}), taking(CITY)),
        (taking({**CITY, "description": "Parameter value"}), taking(CITY)),
        (
            source(args="city: A city.\n        day: How many."),
            source(args="city: A city.\n        days: How many."),
        ),
    ],
    "D007": [
        (
            source(signature=UNIT, args='city: A city.\n        unit: Which. Defaults to "F".'),
            source(signature=UNIT, args='city: A city.\n        unit: Which. Defaults to "C".'),
        ),
        (
            source(args="city: An English city name.\n        dayes: How many days."),
            source(args="city: An English city name.\n        days: How many days."),
        ),
        (
            source(args="city: A city.\n        days: How many (default: 3)."),
            source(args="city: A city.\n        days: How many (default: 1)."),
        ),
    ],
    "D009": [
        (
            [declared(description=f"{SYSTEM} Give the lowest value."), *SYSTEMS],
            [declared(description=f"{SYSTEM} Tell tomorrow's weather."), *SYSTEMS],
        ),
        (
            several(declared(name="obtain_forecast", description="Tell the weather in a city.")),
            several(declared(name="city_forecast", description="Tell the weather in a city.")),
        ),
        (
            [measure("min_temperature", "minimum"), measure("temperature_min", "minimum")],
            [measure("min_temperature", "minimum"), measure("max_temperature", "maximum")],
        ),
        (
            several(declared(name="forecast_fetch", description=FORECAST)),
            several(declared(name="forecast_fetch", description="Warn of storms near a city.")),
        ),
        (
            several(declared(name="retrieve_forecast", description=f"{FORECAST[:-1]} please.")),
            several(declared(name="get_storms", description="Tell tomorrow's storms in a city.")),
        ),
    ],
    "P001": [(wide(20), wide(12)), (wide(14), wide(3))],
    "P008": [
        (
            source(signature="city: str, db_session: object"),
            source(signature="city: str, db_session: int"),
        ),
        (
            taking({"type": "object", "description": "The state."}, name="tool_context"),
            taking({"type": "object", "description": "The state."}, name="state"),
        ),
        (taking(CITY, name="api_key"), taking(CITY, name="key")),
        (
            source(signature="city: str, days: int, ctx=None"),
            source(signature="city: str, days: int, hour=None"),
        ),
    ],
    "A001": [
        (
            declared(annotations={"readOnlyHint": "true"}),
            declared(annotations={"readOnlyHint": True}),
        ),
        (
            declared(annotations={"readOnlyHint": True, "destructiveHint": True, "title": "T"}),
            declared(annotations={"readOnlyHint": True, "destructiveHint": False, "title": "T"}),
        ),
    ],
    "A003": [
        (
            source(hints=READS, body='subprocess.run(["systemctl", "restart", city])'),
            source(hints=READS, body='subprocess.run(["systemctl", "status", city])'),
        ),
        (
            source(hints=READS, body='subprocess.run(f"git -C {city} push", shell=True)'),
            source(hints=READS, body='subprocess.run(f"git -C {city} log", shell=True)'),
        ),
        (
            source(hints=READS, body='city.s3.put_object(Key="a")'),
            source(hints=READS, body='city.s3.get_object(Key="a")'),
        ),
        (
            source(hints=READS, body='city.db.execute(text("DROP TABLE a"))'),
            source(hints=READS, body='city.db.execute(text("SELECT 1"))'),
        ),
        (source(hints=READS, body='os.remove("x")'), source(hints=READS, body='os.stat("x")')),
        (source(hints=READS, body='open("x", "a")'), source(hints=READS, body='open("x", "r")')),
        (
            source(hints=READS, body='city.db.execute("DELETE FROM a")'),
            source(hints=READS, body='city.db.execute("SELECT a FROM a")'),
        ),
    ],
    "T001": [
        (declared(description=f"{FORECAST} " * 400), declared(description=f"{FORECAST} " * 90)),
        (
            taking({**CITY, "enum": [f"city number {n}" for n in range(900)]}),
            taking({**CITY, "enum": [f"city number {n}" for n in range(90)]}),
        ),
    ],
    "T002": [
        (
            [declared(name=f"n{n}", description=f"Weather {n}. " * 190) for n in range(60)],
            [declared(name=f"n{n}", description=f"Weather {n}. " * 190) for n in range(10)],
        ),
        (
            [declared(name=f"n{n}", description=f"Weather {n}. " * 9) for n in range(700)],
            [declared(name=f"n{n}", description=f"Weather {n}. " * 9) for n in range(70)],
        ),
    ],
    "T004": [
        (
            declared(
                inputSchema={
                    "type": "object",
                    "properties": {
                        f"city_name_{n}": {**CITY, "title": f"City Name {n}"} for n in range(25)
                    },
                }
            ),
            declared(
                inputSchema={
                    "type": "object",
                    "properties": {
                        f"city_name_{n}": {**CITY, "title": "A town"} for n in range(25)
                    },
                }
            ),
        ),
        (
            declared(
                inputSchema={
                    "type": "object",
                    "properties": {
                        f"place_of_it_{n}": {**CITY, "title": f"Place Of It {n}"} for n in range(25)
                    },
                }
            ),
            declared(
                inputSchema={
                    "type": "object",
                    "properties": {f"place_of_it_{n}": CITY for n in range(25)},
                }
            ),
        ),
    ],
}
