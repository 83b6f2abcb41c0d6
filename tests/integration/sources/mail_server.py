"""A real mail server for tests: dovecot, without rights of its own, with mailboxes as folders of files (Maildir)."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import textwrap
import time
from pathlib import Path

import pytest

_WAIT_S = 20.0
USER, PASSWORD = "anna", "geheim"
SPECIAL = {"Sent": "\\Sent", "Archive": "\\Archive", "Trash": "\\Trash", "Drafts": "\\Drafts", "Junk": "\\Junk"}


def require_dovecot() -> str:
    """The program; skips the test where it is absent, or of a kind whose configuration is another language."""
    program = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.skip("needs the mail server dovecot (packaging/debian/install-system-packages.sh test)")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if not version.startswith("2.3."):
        pytest.skip(f"needs dovecot 2.3, this is {version.split()[0]}")
    return program


class MailServer:
    """One dovecot with one user.

    Args:
        extra: more lines of configuration.
    """

    def __init__(self, *, extra: str = "") -> None:
        self._program = require_dovecot()
        account = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        self._as = (account.pw_uid, account.pw_gid)
        # a place that the server's user may enter, whatever the tests' own folder is
        self.home = Path(tempfile.mkdtemp(prefix="mail-"))
        self.mail = self.home / "mail"
        self.mail.mkdir()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        group = grp.getgrgid(account.pw_gid).gr_name
        (self.home / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
        boxes = "".join(f"mailbox {name} {{\n special_use = {use}\n}}\n" for name, use in SPECIAL.items())
        (self.home / "dovecot.conf").write_text(
            textwrap.dedent(f"""
                base_dir = {self.home}/run
                state_dir = {self.home}/state
                log_path = {self.home}/log
                protocols = imap
                listen = 127.0.0.1
                ssl = no
                disable_plaintext_auth = no
                mail_location = maildir:{self.mail}
                maildir_stat_dirs = yes
                first_valid_uid = 1
                mail_max_userip_connections = 30
                default_internal_user = {account.pw_name}
                default_internal_group = {group}
                default_login_user = {account.pw_name}
                default_vsz_limit = 0
                passdb {{
                  driver = passwd-file
                  args = {self.home}/users
                }}
                userdb {{
                  driver = static
                  args = uid={account.pw_uid} gid={account.pw_gid} home={self.home}
                }}
                service anvil {{
                  chroot =
                }}
                service imap-login {{
                  chroot =
                  inet_listener imap {{
                    port = {self.port}
                  }}
                  inet_listener imaps {{
                    port = 0
                  }}
                }}
            """)
            + f"namespace inbox {{\n inbox = yes\n separator = /\n{boxes}}}\n{extra}"
        )
        self._own(self.home)
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0
        self.start()

    @property
    def location(self) -> str:
        return f"imap://{USER}@127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it listens."""
        options = {"user": self._as[0], "group": self._as[1], "extra_groups": []} if os.getuid() == 0 else {}
        self._process = subprocess.Popen(
            [self._program, "-F", "-c", str(self.home / "dovecot.conf")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=self.home,
            **options,
        )
        until = time.monotonic() + _WAIT_S
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.5).close()
            except OSError:
                if self._process.poll() is not None:
                    break
                time.sleep(0.02)
            else:
                return
        log = self.home / "log"
        pytest.fail(f"dovecot did not start: {log.read_text()[-800:] if log.exists() else 'without a log'}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it with its children; with SIGKILL, in the middle of whatever they say."""
        if self._process is not None:
            os.killpg(self._process.pid, how)
            self._process.wait(10)
            self._process = None

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def put(self, message: bytes, folder: str = "INBOX", *, flags: str = "") -> Path:
        """Put a message into a folder, as a mail transfer agent does; returns its file."""
        self._count += 1
        place = self.folder(folder) / "cur" / f"{1_700_000_000 + self._count}.M{self._count}.test:2,{flags}"
        place.write_bytes(message)
        self._own(place)
        return place

    def folder(self, name: str) -> Path:
        """A folder on disk, made if need be; its name is written as in IMAP (modified UTF-7)."""
        place = self.mail if name == "INBOX" else self.mail / f".{name.replace('/', '.')}"
        for part in ("cur", "new", "tmp"):
            if not (place / part).is_dir():
                (place / part).mkdir(parents=True)
                self._own(self.mail)
        return place

    def _own(self, place: Path) -> None:
        """Let the server own a file or a folder."""
        if os.getuid() != 0:
            return
        os.chown(place, *self._as)
        if place.is_dir():
            for folder, names, files in os.walk(place):
                for name in (*names, *files):
                    os.chown(Path(folder) / name, *self._as, follow_symlinks=False)
