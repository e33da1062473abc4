"""The options that several commands share, each written once."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

__all__ = [
    "Again",
    "All",
    "AnswerFormat",
    "AnswersTo",
    "Baseline",
    "Check",
    "Codes",
    "Compare",
    "Concurrency",
    "Destructive",
    "Diff",
    "Exact",
    "FailOn",
    "Fix",
    "For",
    "Format",
    "Hooks",
    "Ids",
    "Ignore",
    "Input",
    "Json",
    "Jsonl",
    "Name",
    "NamePrefix",
    "OutputFormat",
    "Pattern",
    "Pdb",
    "Poll",
    "RecordedPrefix",
    "Recordings",
    "Repeat",
    "Respond",
    "ResultFormat",
    "Resume",
    "Save",
    "SavePending",
    "Select",
    "State",
    "Strategy",
    "Strict",
    "Structured",
    "Target",
    "Targets",
    "Timeout",
    "Tokens",
    "Tool",
    "Trace",
    "Turn",
    "WriteBaseline",
]

Text: TypeAlias = str | None

Targets: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET...",
        help="A file, folder, module, file.py:name, or a tool's name.",
        show_default=False,
    ),
]
Pattern: TypeAlias = Annotated[
    str | None,
    typer.Option("-k", metavar="GLOB", help="Only tools whose name matches.", show_default=False),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
Format: TypeAlias = Annotated[
    str,
    typer.Option(
        "--format", metavar="FORMAT", help="The wire shape; `toolkit formats` lists them."
    ),
]
Tool: TypeAlias = Annotated[
    Text,
    typer.Argument(
        metavar="TOOL [--PARAM VALUE]...", help="The tool, then its flags.", show_default=False
    ),
]
Target: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("-t", "--target", metavar="TARGET", help="Where the tool is (repeatable)."),
]
Input: TypeAlias = Annotated[
    Text,
    typer.Option("--input", metavar="JSON", help="The whole input: JSON, @file, or - (stdin)."),
]
Timeout: TypeAlias = Annotated[
    float | None,
    typer.Option("--timeout", metavar="SECONDS", min=0, help="An error result after this."),
]
State: TypeAlias = Annotated[
    Text, typer.Option("--state", metavar="JSON", help="What the context holds: JSON or @file.")
]
Structured: TypeAlias = Annotated[
    bool,
    typer.Option("--structured", help="TARGET is a type: the tool that a model is forced to call."),
]
Save: TypeAlias = Annotated[
    Text, typer.Option("--save", metavar="DIR", help="Write images and documents there.")
]
ResultFormat: TypeAlias = Annotated[
    Text, typer.Option("--format", metavar="FORMAT", help="The result as that API's model gets it.")
]
Repeat: TypeAlias = Annotated[
    int | None,
    typer.Option("--repeat", metavar="N", min=1, help="Call N times; a table of latencies."),
]
Concurrency: TypeAlias = Annotated[
    int, typer.Option("--concurrency", metavar="M", min=1, help="Calls at one time.")
]
Destructive: TypeAlias = Annotated[
    bool, typer.Option("--destructive", help="Also run again what declares itself destructive.")
]
Trace: TypeAlias = Annotated[
    bool, typer.Option("--trace", help="Show the steps of the pipeline with their times.")
]
Pdb: TypeAlias = Annotated[
    bool, typer.Option("--pdb", help="On the main thread, no deadline; a debugger on errors.")
]
Jsonl: TypeAlias = Annotated[
    bool, typer.Option("--jsonl", help="A JSON line for each event, the result last.")
]
Strict: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="The API's strict mode, where it has one.")
]
NamePrefix: TypeAlias = Annotated[
    str,
    typer.Option("--name-prefix", metavar="PREFIX", help="What the host puts before each name."),
]
Tokens: TypeAlias = Annotated[bool, typer.Option("--tokens", help="What each tool costs a model.")]
Exact: TypeAlias = Annotated[
    bool,
    typer.Option("--exact", help="Count by a vocabulary, not by an estimate (extra [tokens])."),
]
Name: TypeAlias = Annotated[
    Text, typer.Argument(metavar="NAME", help="A format or a profile.", show_default=False)
]
Hooks: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--hooks", metavar="FILE", help="Hooks around each call (repeatable)."),
]
Respond: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--respond",
        metavar="NAME=VALUE",
        help="Answer a question of a tool or hook: text, or NAME:=JSON (repeatable).",
    ),
]
SavePending: TypeAlias = Annotated[
    Text,
    typer.Option("--save-pending", metavar="FILE", help="Keep what waits for an answer there."),
]
Resume: TypeAlias = Annotated[
    Text, typer.Option("--resume", metavar="FILE", help="Go on with what --save-pending kept.")
]
Recordings: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE", help="Recorded messages; - is stdin.", show_default=False),
]
AnswersTo: TypeAlias = Annotated[
    Text,
    typer.Option(
        "--structured", metavar="TARGET", help="Check recorded answers by a type; run nothing."
    ),
]
Check: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Only look up and validate; run nothing.")
]
Compare: TypeAlias = Annotated[
    bool, typer.Option("--compare", help="Show what differs from the recorded results.")
]
Turn: TypeAlias = Annotated[
    int | None, typer.Option("--turn", metavar="N", min=1, help="Only this turn, from 1.")
]
Ids: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--id", metavar="ID", help="Only the tool use of this id (repeatable)."),
]
RecordedPrefix: TypeAlias = Annotated[
    Text,
    typer.Option("--name-prefix", metavar="PREFIX", help="Taken off the recorded names."),
]
AnswerFormat: TypeAlias = Annotated[
    Text, typer.Option("--format", metavar="FORMAT", help="The answer in another API's shape.")
]
Strategy: TypeAlias = Annotated[
    str,
    typer.Option(
        "--executor", metavar="NAME", help="The calls of a turn: concurrent or sequential."
    ),
]
Again: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--call", metavar="'TOOL …'", help="Called after each good reload (repeatable)."),
]
Poll: TypeAlias = Annotated[
    bool, typer.Option("--poll", help="Look again and again: for files of other machines.")
]
Select: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--select", metavar="RULES", help="Only these: S002, S, root-not-object, ALL."),
]
Ignore: TypeAlias = Annotated[
    list[str] | None, typer.Option("--ignore", metavar="RULES", help="Not these.")
]
For: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--for", metavar="PROFILES", help="Providers: openai-strict,anthropic,… or all."),
]
FailOn: TypeAlias = Annotated[
    Text,
    typer.Option("--fail-on", metavar="SEVERITY", help="Exit 1 from error, warning, info; never."),
]
Baseline: TypeAlias = Annotated[
    Text, typer.Option("--baseline", metavar="FILE", help="Say nothing of what stands in it.")
]
WriteBaseline: TypeAlias = Annotated[
    Text, typer.Option("--write-baseline", metavar="FILE", help="Write all findings there.")
]
Fix: TypeAlias = Annotated[
    bool, typer.Option("--fix", help="Mend JSON documents where that is safe.")
]
Diff: TypeAlias = Annotated[bool, typer.Option("--diff", help="Show what --fix would change.")]
OutputFormat: TypeAlias = Annotated[
    Text,
    typer.Option(
        "--output-format", metavar="FORM", help="concise, full, json, github, junit or sarif."
    ),
]
Codes: TypeAlias = Annotated[
    list[str] | None, typer.Argument(metavar="RULE", help="A code or a name.", show_default=False)
]
All: TypeAlias = Annotated[bool, typer.Option("--all", help="Every rule.")]
