"""Adds a token to every request on its way to the server: for a suite of tests that cannot send one."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys

_CHUNK = 1 << 16


class TokenProxy:
    """Takes connections on a port of its own, and hands each request on, one a connection."""

    def __init__(self, port: int, token: str) -> None:
        self.target = port
        self.token = token
        self.port = 0
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> TokenProxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 20)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = re.search(r"(?im)^content-length:\s*(\d+)", head)
            onward, back = await asyncio.open_connection("127.0.0.1", self.target)
            back.write(self._changed(head).encode("latin-1"))
            if length is not None:
                back.write(await reader.readexactly(int(length[1])))
            await back.drain()
            gone = asyncio.ensure_future(reader.read(1))
            while True:
                more = asyncio.ensure_future(onward.read(_CHUNK))
                await asyncio.wait((gone, more), return_when=asyncio.FIRST_COMPLETED)
                if gone.done() or not (data := await more):
                    more.cancel()
                    break
                writer.write(data)
                await writer.drain()
            gone.cancel()
            back.close()
        writer.close()

    def _changed(self, head: str) -> str:
        """The same request for the other port, with the token; a host or an origin that is not ours stays as it is."""
        head = re.sub(r"(?im)^connection:.*\r\n", "", head)
        head = head.replace(f":{self.port}", f":{self.target}")
        return head[:-2] + f"Authorization: Bearer {self.token}\r\nConnection: close\r\n\r\n"


async def main() -> None:
    async with TokenProxy(int(sys.argv[1]), sys.argv[2]) as proxy:
        print(proxy.port, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
