"""The composition root: puts the parts together for each way of running Famulus. Contains no logic.

What is here is `app.cli.wiring.Wiring`; each function loads what it needs when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.cli.wiring import BatchRequest, SelfCheck
    from app.runtime.paths import Paths


def desktop(paths: Paths, *, is_toggling: bool) -> int:
    """See `Wiring`."""
    from app.bootstrap.desktop import run  # noqa: PLC0415 - Qt is not needed elsewhere

    return run(paths, is_toggling=is_toggling)


def serve(paths: Paths, *, idle_exit_s: float | None) -> int:
    """See `Wiring`."""
    from app.bootstrap.headless import run  # noqa: PLC0415 - the whole house

    return run(paths, idle_exit_s=idle_exit_s)


def batch(paths: Paths, request: BatchRequest) -> Iterator[Mapping[str, Any]]:
    """See `Wiring`."""
    from app.bootstrap.batch import run  # noqa: PLC0415 - the whole house

    return run(paths, request)


def selftest(paths: Paths) -> Iterator[SelfCheck]:
    """See `Wiring`."""
    from app.bootstrap.selftest import run  # noqa: PLC0415 - the whole house

    return run(paths)


def mcp(paths: Paths, *, client: str | None, http_port: int | None) -> int:
    """See `Wiring`."""
    from app.bootstrap.serving import run  # noqa: PLC0415 - the protocol's library

    return run(paths, client=client, http_port=http_port)
