from toolkit import tool


@tool
def greet(a: int) -> None: ...
