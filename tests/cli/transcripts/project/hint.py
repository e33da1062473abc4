from toolkit import tool


@tool
def x(a: "Nope") -> None: ...


@tool
def y(a: int) -> None: ...
