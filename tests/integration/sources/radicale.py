"""A real CalDAV and CardDAV server on this device: Radicale in a process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from threading import Event
from typing import Any

import httpx

USER, PASSWORD = "bob", "pw-王"
_STARTS_WITHIN = 300
_TYPES = {
    "caldav": '<d:resourcetype><d:collection/><c:calendar xmlns:c="urn:ietf:params:xml:ns:caldav"/></d:resourcetype>',
    "carddav": '<d:resourcetype><d:collection/><c:addressbook xmlns:c="urn:ietf:params:xml:ns:carddav"/>'
    "</d:resourcetype>",
}


class Radicale:
    """One server with one user; its own client is for tests to change things behind Famulus' back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "users").write_text(f"{USER}:{PASSWORD}\n", "utf-8")
        (folder / "radicale.cfg").write_text(
            f"[server]\nhosts=127.0.0.1:{self.port}\n[auth]\ntype=htpasswd\nhtpasswd_filename={folder / 'users'}\n"
            f"htpasswd_encryption=plain\ndelay=0\n[storage]\nfilesystem_folder={folder / 'data'}\n"
            "[logging]\nlevel=error\n",
            "utf-8",
        )
        self._process: subprocess.Popen[bytes] | None = None
        self.client = httpx.Client(base_url=self.url, auth=httpx.BasicAuth(USER, PASSWORD), trust_env=False, timeout=60)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> Radicale:
        command = [sys.executable, "-m", "radicale", "--config", str(self.folder / "radicale.cfg")]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(_STARTS_WITHIN):
            if self._process.poll() is not None:
                raise RuntimeError("Radicale did not start")
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
            except OSError:
                Event().wait(0.05)
            else:
                return self
        raise RuntimeError("Radicale does not answer")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.client.close()
        self.stop()

    def make(self, kind: str, path: str, name: str) -> None:
        body = (
            '<?xml version="1.0"?><d:mkcol xmlns:d="DAV:"><d:set><d:prop>'
            f"{_TYPES[kind]}<d:displayname>{name}</d:displayname></d:prop></d:set></d:mkcol>"
        )
        self.done(self.client.request("MKCOL", path, content=body.encode()))

    def put(self, path: str, text: str) -> None:
        self.done(self.client.put(path, content=text.encode()))

    def delete(self, path: str) -> None:
        self.done(self.client.delete(path))

    def move(self, path: str, to: str) -> None:
        self.done(self.client.request("MOVE", path, headers={"Destination": f"{self.url}{to.lstrip('/')}"}))

    def get(self, path: str) -> str:
        answer: Any = self.done(self.client.get(path))
        return answer.content.decode()

    def done(self, answer: httpx.Response) -> httpx.Response:
        assert answer.is_success, (answer.status_code, answer.text[:300])
        return answer
