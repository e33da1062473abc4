from toolkit import tool


@tool
def greet(name: str, times: int = 1, loud: bool = False) -> str:
    """Greet somebody.

    Args:
        name: Whom to greet.
        times: How often.
        loud: In capitals.
    """
    text = " ".join([f"Hello, {name}!"] * times)
    return text.upper() if loud else text


@tool
def fail(why: str = "no reason") -> str:
    """Fail."""
    raise ValueError(why)
