def helper() -> float:
    return 1 / 0


helper()
