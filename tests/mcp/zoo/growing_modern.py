"""The same in the newer era, made with the SDK: changes are told to who listens."""

import asyncio

from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.server.lowlevel import NotificationOptions
from mcp.shared.subscriptions import ToolsListChanged

NAMES = ["grow", "old"]
bus = InMemorySubscriptionBus()


async def list_tools(ctx, params):
    empty = {"type": "object", "properties": {}}
    return types.ListToolsResult(
        tools=[types.Tool(name=n, description=n, input_schema=empty) for n in NAMES]
    )


async def call_tool(ctx, params):
    if params.name == "grow":
        NAMES[:] = ["added", "grow"]
        await bus.publish(ToolsListChanged())
    return types.CallToolResult(content=[types.TextContent(type="text", text=params.name)])


server = Server(
    "grower",
    version="1",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_subscriptions_listen=ListenHandler(bus),
)


async def main():
    async with stdio_server() as (read, write):
        options = server.create_initialization_options(NotificationOptions(tools_changed=True))
        await server.run(read, write, options)


asyncio.run(main())
