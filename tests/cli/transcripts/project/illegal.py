from toolkit import tool


@tool(name="a b")
def f() -> None: ...
