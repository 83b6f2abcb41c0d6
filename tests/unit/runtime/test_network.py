"""The only HTTP client, against peers that misbehave (X7.1, A5.1)."""

from __future__ import annotations

import gzip
import ssl
from datetime import UTC, datetime, timedelta
from itertools import repeat
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.domain.errors import Bug, Cancelled, DiskFull, RateLimited, Refused, Unavailable
from app.domain.text import msg
from app.runtime import clock
from app.runtime.network import OWN_SERVER, Http, Login, NetworkLimits, Request
from app.runtime.network_routes import has_clear_way, proxy_for
from tests.peer import http_answer, peer

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.outgoing import Egress

QUICK = NetworkLimits(connect_s=2, silence_s=0.3, whole_s=0.6, answer_bytes=100_000)


class PaperLedger:
    def __init__(self, error: Exception | None = None) -> None:
        self.lines: list[Egress] = []
        self.error = error

    def note(self, egress: Egress) -> None:
        if self.error is not None:
            raise self.error
        self.lines.append(egress)


def http(url: str, ledger: Any = None, **changes: Any) -> Http:
    return Http(url, "collect:test", ledger or PaperLedger(), **({"limits": QUICK} | changes))


def me() -> Login:
    return Login("bob", "pw-王")


def test_what_leaves_is_noted_with_its_size():
    ledger = PaperLedger()
    with peer(lambda _: http_answer("200 OK", b"hi", "ETag: 1")) as there, http(there.url, ledger) as client:
        answer = client.send(Request("PUT", there.url + "x?y=1", {"X-A": "b"}, b"body", data_level=OWN_SERVER))
    assert (answer.status, answer.body, answer.headers["etag"]) == (200, b"hi", "1")
    (line,) = ledger.lines
    assert (line.recipient, line.purpose, line.data_level) == (f"127.0.0.1:{there.port}", "collect:test", 1)
    assert line.size_bytes > len("PUT/x?y=1X-Abbody")
    assert there.asked[0].body == b"body"
    assert "cookie" not in there.asked[0].headers


def test_nothing_leaves_that_cannot_be_noted():
    full = DiskFull(msg("Full."), next_step=msg("Make room."))
    with peer(lambda _: http_answer("200 OK")) as there:
        with http(there.url, PaperLedger(full)) as client, pytest.raises(DiskFull):
            client.send(Request("GET", there.url))
        with Http(there.url, "x", None) as client, pytest.raises(Bug):
            client.send(Request("GET", there.url))
        with http(there.url) as client, pytest.raises(Bug):
            client.send(Request("GET", there.url, data_level=0))
    assert there.asked == []


@pytest.mark.parametrize(
    "body",
    [
        lambda: repeat(b"x" * 10_000),
        lambda: [b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", gzip.compress(b"0" * 5_000_000)],
    ],
)
def test_an_answer_without_end_is_refused(body):
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
    parts = body()
    answer = parts if isinstance(parts, list) else ([head, *[b"x" * 10_000] * 50])
    with peer(lambda _: answer) as there, http(there.url) as client, pytest.raises(Refused):
        client.send(Request("GET", there.url))


def test_a_silent_server_and_one_that_trickles():
    def silent(_: Any) -> Any:
        there.ending.wait(5)
        return b""

    with peer(silent) as there, http(there.url) as client:
        with pytest.raises(Unavailable, match="in time"):
            client.send(Request("GET", there.url))
        there.ending.set()

    def trickle(_: Any) -> Any:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
        while not there.ending.wait(0.1):
            yield b"x"

    with peer(trickle) as there, http(there.url) as client:
        with pytest.raises(Unavailable, match="in time"):
            client.send(Request("GET", there.url))
        there.ending.set()


class Pressed:
    """Stop is pressed while an answer is waited for, after some pauses."""

    def __init__(self, clock_s: list[float], pauses: int) -> None:
        self.clock_s = clock_s
        self.pauses = pauses

    def checkpoint(self) -> None:
        if not self.pauses:
            raise Cancelled(msg("Stopped."), next_step=msg("Go on."))
        self.pauses -= 1
        self.clock_s[0] += 1000


def test_stop_is_heard_while_a_server_says_nothing(monkeypatch):
    monkeypatch.setattr("app.runtime.network_deadline._LOOK_S", 0.01)
    paused_s, monotonic_s = [0.0], clock.monotonic_s
    monkeypatch.setattr(clock, "monotonic_s", lambda: monotonic_s() + paused_s[0])

    def silent(_: Any) -> Any:
        there.ending.wait(5)
        return b""

    patient = NetworkLimits(silence_s=5, whole_s=5)
    with peer(silent) as there, http(there.url, limits=patient, stop=Pressed(paused_s, pauses=3)) as client:
        with pytest.raises(Cancelled):
            client.send(Request("GET", there.url))
        there.ending.set()
    assert paused_s == [3000.0]


def test_an_answer_that_comes_after_many_looks_is_whole(monkeypatch):
    monkeypatch.setattr("app.runtime.network_deadline._LOOK_S", 0.01)

    def slow(_: Any) -> Any:
        there.ending.wait(0.1)
        return http_answer("200 OK", b"late")

    with peer(slow) as there, http(there.url, limits=NetworkLimits(silence_s=5, whole_s=5)) as client:
        assert client.send(Request("GET", there.url)).body == b"late"


@pytest.mark.parametrize("part", [b"X-A: b\r\n", b"\r\nHTTP/1.1 103 Early Hints\r\n"])
def test_a_head_without_end_is_given_up_like_an_answer_without_end(part):
    def trickle(_: Any) -> Any:
        yield b"HTTP/1.1 103 Early Hints\r\n"
        for _ in range(50):
            if there.ending.wait(0.1):
                return
            yield part
        yield b"\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    with peer(trickle) as there, http(there.url) as client:
        with pytest.raises(Unavailable, match="in time"):
            client.send(Request("GET", there.url))
        there.ending.set()


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", b"", b"garbage\r\n\r\n",
               b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf",
               b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nxxxx"]
)  # fmt: skip
def test_a_half_written_answer_is_none(answer):
    with peer(lambda _: answer) as there, http(there.url) as client, pytest.raises(Unavailable):
        client.send(Request("GET", there.url))


def test_a_server_that_is_not_there():
    with peer(lambda _: b"") as there:
        url = there.url
    with http(url) as client, pytest.raises(Unavailable, match="cannot be reached"):
        client.send(Request("GET", url))
    with http("http://no-such-host.invalid/") as client, pytest.raises(Unavailable):
        client.send(Request("GET", "http://no-such-host.invalid/"))


def test_a_redirect_on_the_same_host_keeps_method_body_and_login():
    def answer(asked: Any) -> bytes:
        return http_answer("301 Moved", b"", "Location: /dav/") if asked.path == "/" else http_answer("207 Multi", b"x")

    ledger = PaperLedger()
    with peer(answer) as there, http(there.url, ledger, login=me) as client:
        got = client.send(Request("PROPFIND", there.url, {}, b"<a/>"))
    assert (got.status, got.url) == (207, there.url + "dav/")
    assert [(one.method, one.body) for one in there.asked] == [("PROPFIND", b"<a/>")] * 2
    assert all(one.headers["authorization"].startswith("Basic ") for one in there.asked)
    assert len(ledger.lines) == 2


@pytest.mark.parametrize("target", ["http://localhost:{port}/", "ftp://127.0.0.1/", "http://127.0.0.1:1/", "//[", "/"])
def test_a_redirect_that_leads_astray(target):
    def answer(asked: Any) -> bytes:
        return http_answer("302 Found", b"", f"Location: {target.format(port=there.port)}")

    with peer(answer) as there, http(there.url, login=me) as client, pytest.raises((Refused, Unavailable)):
        client.send(Request("GET", there.url))
    assert all(asked.headers["host"] == f"127.0.0.1:{there.port}" for asked in there.asked)


def test_what_is_personal_goes_home_only():
    with peer(lambda _: http_answer("200 OK")) as there, http("https://example.org/") as client:
        with pytest.raises(Refused):
            client.send(Request("PUT", there.url, data_level=OWN_SERVER))
        assert there.asked == []


def test_a_login_is_not_given_to_others_and_not_sent_in_the_clear():
    with peer(lambda _: http_answer("200 OK")) as there:
        with http("https://example.org/", login=me) as client:
            client.send(Request("GET", there.url))
        assert "authorization" not in there.asked[0].headers
    with http("http://192.0.2.1/", login=me) as client, pytest.raises(Refused, match="password"):
        client.send(Request("GET", "http://192.0.2.1/"))


def test_digest_where_a_server_wants_it():
    def answer(asked: Any) -> bytes:
        if asked.headers.get("authorization", "").startswith("Digest"):
            return http_answer("200 OK", b"in")
        challenge = 'WWW-Authenticate: Digest realm="x", nonce="n", algorithm=SHA-256, qop="auth"'
        return http_answer("401 No", b"", challenge, 'WWW-Authenticate: Bearer realm="y"')

    ledger = PaperLedger()
    with peer(answer) as there, http(there.url, ledger, login=me) as client:
        assert client.send(Request("GET", there.url)).body == b"in"
        assert client.send(Request("GET", there.url)).body == b"in"
    assert len(ledger.lines) == len(there.asked)
    assert 'username="bob"' in there.asked[-1].headers["authorization"]


def test_a_wrong_password_is_an_answer():
    with peer(lambda _: http_answer("401 No", b"", 'WWW-Authenticate: Basic realm="x"')) as there:
        with http(there.url, login=me) as client:
            assert client.send(Request("GET", there.url)).status == 401
        assert len(there.asked) == 1


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        (("Retry-After: 120",), 120),
        (("Retry-After: 99999999999999999999",), 86_400),
        # a server whose clock is years off says a date by that clock
        (("Retry-After: Thu, 01 Jan 2015 00:10:00 GMT", "Date: Thu, 01 Jan 2015 00:00:00 GMT"), 600),
        (("Retry-After: soon",), 300),
        ((), 300),
    ],
)
def test_patience_is_told_with_a_time(headers, wait, now):
    with peer(lambda _: http_answer("429 Too Many", b"", *headers)) as there, http(there.url) as client, clock.use(now):
        with pytest.raises(RateLimited) as told:
            client.send(Request("GET", there.url))
        assert told.value.retry_at == now + timedelta(seconds=wait)


def test_a_busy_server():
    with peer(lambda _: http_answer("503 Busy")) as there, http(there.url) as client:
        with pytest.raises(Unavailable) as told:
            client.send(Request("GET", there.url))
        assert not isinstance(told.value, RateLimited)


def test_a_certificate_that_nobody_vouches_for(tmp_path):
    with peer(lambda _: http_answer("200 OK"), _own_certificate(tmp_path)) as there, http(there.url) as client:
        with pytest.raises(Unavailable) as told:
            client.send(Request("GET", there.url))
        assert "certificate" in str(told.value.what)
    assert there.asked == []


def _own_certificate(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2099, 1, 1, tzinfo=UTC)).sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = folder / "own.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    pem.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    return context


def test_the_proxy_of_the_system_and_nothing_else_of_it(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", "proxy.example:3128")
    monkeypatch.setenv("no_proxy", "dav.example.net")
    assert proxy_for("https://dav.example.org/") == "http://proxy.example:3128"
    assert proxy_for("https://dav.example.net/") is None
    assert proxy_for("https://127.0.0.1:5232/") is None
    monkeypatch.setenv("https_proxy", "gopher://proxy.example/")
    with http("https://dav.example.org/") as client, pytest.raises(Unavailable, match="proxy"):
        client.send(Request("GET", "https://dav.example.org/"))


@pytest.mark.parametrize(
    ("url", "is_clear"),
    [("https://x.example/", True), ("http://localhost:1/", True), ("http://[::1]/", True), ("http://127.0.0.2/", True),
     ("http://x.example/", False), ("http://192.168.1.5/", False), ("http://localhost.x.example/", False)],
)  # fmt: skip
def test_where_a_password_may_go(url, is_clear):
    assert has_clear_way(url) is is_clear
