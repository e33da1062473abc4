"""MCP servers: where they are configured, how they are reached, and their tools as tools."""
