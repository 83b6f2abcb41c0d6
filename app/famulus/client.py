"""The facade in another process: every method of `FamulusApi`, carried to the owner of the data.

A client does not start an owner; `ownership.reach` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app import __version__
from app.domain.errors import Unavailable
from app.domain.text import msg
from app.famulus.line import Line, NotBegun
from app.famulus.wire import Method, methods

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from app.famulus.api import FamulusApi
    from app.famulus.wire import Hello
    from app.runtime.paths import Paths


class RemoteFamulus:
    """A facade that lives elsewhere; `api` has its methods.

    Args:
        line: a connection to the owner.
        find_line: finds its successor, when the owner left before it began a call; None when there shall be none.
    """

    def __init__(self, line: Line, find_line: Callable[[], Awaitable[Line]] | None = None) -> None:
        self._line = line
        self._find_line = find_line

    @classmethod
    async def connect(cls, paths: Paths) -> RemoteFamulus | None:
        """Reach the running owner; None when there is none."""
        line = await Line.connect(paths)
        return None if line is None else cls(line)

    @property
    def hello(self) -> Hello:
        """Who the owner is."""
        return self._line.hello

    @property
    def is_same_version(self) -> bool:
        """Whether the owner runs the very program that this process is."""
        return self.hello.version == __version__

    @property
    def api(self) -> FamulusApi:
        """The facade's methods."""
        return cast("FamulusApi", _Calls(self))

    async def call(self, method: Method, arguments: dict[str, Any]) -> object:
        """Run one method at the owner, or at its successor if the owner was just leaving.

        Raises:
            Expected, Bug: what the owner raised.
            Unavailable: the owner is gone.
        """
        try:
            return await self._line.call(method, arguments)
        except NotBegun:
            if self._find_line is None:
                raise _gone() from None
        await self._line.close()
        self._line = await self._find_line()
        try:
            return await self._line.call(method, arguments)
        except NotBegun:
            raise _gone() from None

    async def close(self) -> None:
        """Hang up; what still runs for us is stopped by the owner."""
        await self._line.close()


class _Calls:
    """The methods of `FamulusApi`, made from its declaration: what is declared there can be called here."""

    def __init__(self, remote: RemoteFamulus) -> None:
        self._remote = remote

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = methods().get(name)
        if method is None:
            raise AttributeError(name)

        async def call(*args: object, **kwargs: object) -> object:
            bound = method.signature.bind(self, *args, **kwargs).arguments
            del bound["self"]
            return await self._remote.call(method, bound)

        return call


def _gone() -> Unavailable:
    return Unavailable(
        msg("Famulus was just ending."),
        next_step=msg("Try again."),
    )
