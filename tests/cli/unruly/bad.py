"""Tools that misbehave, each in a way of its own."""

import asyncio
import ctypes
import faulthandler
import os
import signal
import subprocess
import sys
import threading
import time

from toolkit import ToolContext, tool


def begun():
    print("begun", flush=True)


# raise


@tool
def sys_exit():
    sys.exit(3)


@tool
async def a_sys_exit():
    sys.exit(3)


@tool
def stop_iteration():
    next(iter([]))


@tool
async def cancelled():
    raise asyncio.CancelledError


@tool
async def cancels_itself():
    asyncio.current_task().cancel()
    await asyncio.sleep(1000)


@tool
def keyboard():
    raise KeyboardInterrupt


@tool
def base():
    class Odd(BaseException):
        def __str__(self):
            raise RuntimeError

    raise Odd


@tool
def recurse():
    return recurse()


@tool
def os_exit():
    os._exit(7)


# hang


@tool
def hang():
    begun()
    time.sleep(1000)


@tool
async def a_hang():
    begun()
    await asyncio.sleep(1000)


@tool
async def deaf():
    begun()
    while True:
        try:
            await asyncio.sleep(1000)
        except BaseException:
            pass


@tool
async def block():
    begun()
    time.sleep(1000)


@tool
def spin():
    begun()
    while True:
        pass


@tool
def in_c():
    begun()
    ctypes.CDLL(None).sleep(1000)


@tool
async def a_in_c():
    begun()
    ctypes.PyDLL(None).sleep(1000)


@tool
def gen_hang():
    yield "first"
    begun()
    time.sleep(1000)


@tool
async def a_gen_hang():
    try:
        yield "first"
        begun()
        await asyncio.sleep(1000)
    finally:
        print("closed", flush=True)


@tool
def child_wait():
    begun()
    subprocess.run(["sleep", "1000"])


@tool
async def a_child_wait():
    process = await asyncio.create_subprocess_exec("sleep", "1000")
    begun()
    await process.wait()


@tool
async def to_thread_hang():
    begun()
    await asyncio.to_thread(time.sleep, 1000)


@tool
def lock_hang():
    begun()
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


# leave something behind


@tool
def nondaemon():
    threading.Thread(target=time.sleep, args=(1000,)).start()
    return "left"


@tool
async def executor_left():
    asyncio.get_running_loop().run_in_executor(None, time.sleep, 1000)
    return "left"


@tool
async def task_left():
    asyncio.create_task(asyncio.sleep(1000))
    await asyncio.sleep(0)
    return "left"


@tool
def child_left():
    subprocess.Popen(["sh", "-c", "echo from a child; sleep 1000"])
    return "left"


@tool
def exit_function_hangs():
    import atexit

    atexit.register(time.sleep, 1000)
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    return "left"


# change what is everybody's


@tool
def chdir():
    os.chdir("/")
    return os.getcwd()


@tool
def handlers():
    for each in (signal.SIGINT, signal.SIGTERM):
        try:
            signal.signal(each, signal.SIG_IGN)
        except ValueError:
            return "only the main thread may"
    return "done"


@tool
def no_faulthandler():
    faulthandler.disable()
    faulthandler.cancel_dump_traceback_later()
    begun()
    time.sleep(1000)


@tool
def close_out():
    sys.stdout.close()
    os.close(1)
    return "closed"


@tool
def close_err():
    sys.stderr.close()
    os.close(2)
    return "closed"


@tool
def replace_out():
    sys.stdout = open(os.devnull, "w")
    sys.stderr = None
    return "replaced"


@tool
def environment():
    os.environ.clear()
    return "cleared"


@tool
def recursion_limit():
    sys.setrecursionlimit(60)
    return "set"


# take much, or talk much


@tool
def big():
    return len(bytes(1 << 30))


@tool
def itself():
    return itself


@tool
def prints():
    print("printed")
    sys.stdout.write("written\n")
    os.write(1, b"raw\n")
    os.system("echo shell")
    subprocess.run(["echo", "child"])
    subprocess.run([sys.executable, "-c", "print('python')"])
    print("said", file=sys.stderr)
    return "data"


@tool
def prints_much():
    for _ in range(2000):
        print("x" * 100)
    return "data"


@tool
def reads():
    return repr(sys.stdin.read())


@tool
def asks():
    return input("name? ")


@tool
def child_reads():
    return repr(subprocess.run(["cat"], capture_output=True).stdout)


@tool
def own_loop():
    async def five():
        return 5

    return asyncio.run(five())


@tool
def fork():
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.map(abs, [-1])


@tool
def forks_and_raises():
    if os.fork() == 0:
        raise ValueError("in the child")
    os.wait()
    return "parent"


@tool
async def report_async(context: ToolContext):
    context.report(1)
    return "ok"


@tool
def report_late(context: ToolContext):
    def late():
        time.sleep(0.2)
        context.report("late")

    threading.Thread(target=late, daemon=True).start()
    return "ok"


# for the options of a call


@tool
def stops(n: int = 1):
    breakpoint()
    return n


@tool(timeout=0.05)
async def stops_later(n: int = 1):
    breakpoint()
    await asyncio.sleep(0.01)
    return n


@tool
def fails(n: int = 1):
    inner = n + 41
    raise ValueError(f"no {n}")


@tool
async def adds(items: list[int], context: ToolContext):
    for each in items:
        yield each
    yield {"sum": sum(items), "state": context.state}


@tool
def sometimes(context: ToolContext):
    number = int(context.tool_use.tool_use_id.rpartition("-")[2])
    if number % 4 == 0:
        raise ValueError("fourth")
    if number % 4 == 1:
        raise KeyError("first")
    return number


@tool(annotations={"destructiveHint": True})
def destroys():
    return "gone"


@tool
def files():
    from toolkit.types import Audio, Document, Image, Resource, Text

    png = b"\x89PNG\r\n\x1a\n123"
    return [
        Image("png", png),
        Document("../a report", "pdf", b"%PDF"),
        Audio("mpeg", b"x"),
        Image("../../up", b"y"),
        Resource("file:///reports/../q1.csv", data=b"1,2"),
        Resource("file:///reports/..", text="dots"),
        Resource("file:///" + "long" * 100, text="w\u00f6rter"),
        Resource("file:///only/a/link.txt"),
        Text("text"),
    ]


@tool(timeout=0.4)
async def blocks_past_its_own():
    begun()
    time.sleep(1000)


@tool(timeout=1000)
async def has_long():
    begun()
    await asyncio.sleep(1000)


@tool
def backtracks():
    import re

    begun()
    re.match(r"(a+)+$", "a" * 64 + "b")
