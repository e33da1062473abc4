"""The same in the newer era, where a result asks and the next call answers."""

import asyncio
import json

from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server

FORM = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


async def list_tools(ctx, params):
    empty = {"type": "object", "properties": {}}
    return types.ListToolsResult(
        tools=[types.Tool(name=n, description=n, input_schema=empty) for n in ("form", "patient")]
    )


def said(value):
    content = [types.TextContent(type="text", text=json.dumps(value, sort_keys=True))]
    return types.CallToolResult(content=content)


async def call_tool(ctx, params):
    if params.name == "patient":
        turn = int(params.request_state or 0)
        if turn < 3:
            return types.InputRequiredResult(request_state=str(turn + 1))
        return said(turn)
    answers = params.input_responses or {}
    if "where" in answers:
        return said({"state": params.request_state, **answers["where"].model_dump(mode="json")})
    form = types.ElicitRequestFormParams(message="Your trip", requested_schema=FORM)
    return types.InputRequiredResult(
        input_requests={"where": types.ElicitRequest(params=form)}, request_state="opaque"
    )


server = Server("asking", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())
