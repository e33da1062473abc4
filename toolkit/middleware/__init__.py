"""What stands around a call: each concern one small middleware, `async (call, next) -> result`."""
