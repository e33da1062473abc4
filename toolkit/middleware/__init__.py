"""What stands around a call: tracing, hooks, the user's own, limits, timeout, from the outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .guard import guarded
from .hooks import hooks as hooks_layer
from .limits import limits
from .timeout import timeout as timeout_layer
from .tracing import tracing as tracing_layer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..types import Middleware
    from .hook_events import LookUp

__all__ = ["standard"]


def standard(
    look_up: LookUp,
    *,
    hooks: Sequence[Callable[..., Any]] = (),
    middleware: Sequence[Middleware] = (),
    timeout: float | None = None,
    tracing: Middleware | None = None,
) -> list[Middleware]:
    """The layers of a pipeline, the outermost first.

    `look_up` finds a tool by its name, for a hook that changes it; `middleware` is the user's,
    and stands where a hit in a cache costs no turn and a wait for a rate no deadline; `tracing`
    is one of its own making (`toolkit.middleware.tracing`), for what goes in and comes out.
    """
    layers: list[Middleware] = [tracing or tracing_layer()]
    if hooks:
        layers.append(hooks_layer(hooks, look_up=look_up))
    layers += [guarded(each) for each in middleware]
    return [*layers, limits(), timeout_layer(timeout)]
