"""Whatever a mail server does wrong: a sentence and a next step, nothing deleted, nothing endless (L6.2, X9.2)."""

from __future__ import annotations

import ssl
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.domain.errors import BadInput, Cancelled, Expected, RateLimited, Refused, Unavailable
from app.sources.contract import Added, CursorRows, Deleted, Skipped, Unchanged
from app.sources.imap.source import ImapSource
from app.sources.imap.transport import AnswerLimits
from tests.unit.sources.imap.fake_server import CAPABILITIES, GOOD, FakeServer, bodies, fetched
from tests.unit.sources.makers import After, Never, context, drain

SECRET = "Passwort-im-Klartext"
NUL = "\0"


class Ledger:
    def __init__(self) -> None:
        self.notes: list[Any] = []

    def note(self, egress: Any) -> None:
        self.notes.append(egress)


@pytest.fixture
def serve() -> Iterator[Any]:
    servers: list[FakeServer] = []

    def start(answers: Any = None, **kind: Any) -> FakeServer:
        servers.append(FakeServer(answers, **kind))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def source_at(server: FakeServer, scheme: str = "imap", **options: str) -> ImapSource:
    options = {"security": "none"} | options if scheme == "imap" and "security" not in options else options
    made = context(Path("unused"), "imap", secret=lambda: SECRET, ledger=Ledger())
    location = f"{scheme}://anna@127.0.0.1:{server.port}"
    options = {key: value for key, value in options.items() if value}
    return ImapSource(replace(made, source=replace(made.source, location=location, options=options)))


def known(serve: Any) -> CursorRows:
    """The cursor after a good sync of five messages."""
    rows = CursorRows()
    changes = drain(source_at(serve()), rows)
    assert sum(isinstance(change, Added) for change in changes) == 5
    return rows


FAILING = [
    ({"GREETING": b"* BYE Too many connections from your address\r\n"}, RateLimited, "patience"),
    ({"GREETING": b"HTTP/1.1 400 Bad Request\r\n\r\n"}, Unavailable, ""),
    ({"GREETING": b"\x16\x03\x01\x00\xff" * 9}, Unavailable, ""),
    ({"GREETING": None}, Unavailable, "broke off"),
    ({"CAPABILITY": b"TAG OK nothing\r\n"}, Unavailable, ""),
    ({"AUTHENTICATED": b"TAG NO [AUTHENTICATIONFAILED] wrong\r\n"}, Unavailable, "password"),
    ({"AUTHENTICATED": b"TAG NO [UNAVAILABLE] try again later\r\n"}, RateLimited, "patience"),
    ({"AUTHENTICATED": "TAG NO 登录过于频繁，请稍后再试\r\n".encode()}, RateLimited, ""),
    ({"AUTHENTICATED": None}, Unavailable, "broke off"),
    ({"LIST": b"TAG NO [LIMIT] slow down\r\n"}, RateLimited, "slow down"),
    ({"LIST": b"* LIST (((\r\nTAG OK done\r\n"}, Unavailable, ""),
    ({"LIST": b"TAG OK done\r\n"}, Unavailable, "folders"),
    ({"LIST": b"TAG NO [OVERQUOTA] no room\r\n"}, Unavailable, "full"),
    ({"EXAMINE": b"TAG NO [UNAVAILABLE] not now\r\n"}, RateLimited, ""),
    ({"EXAMINE": b"* x EXISTS\r\nTAG OK done\r\n"}, Unavailable, ""),
    ({"EXAMINE": b"TAG OK done\r\n"}, Unavailable, "no sense"),
    ({"UID FETCH FLAGS": b"* 1 FETCH (((((\r\nTAG OK done\r\n"}, Unavailable, ""),
    ({"UID FETCH FLAGS": b"* 1 FETCH (UID 1 FLAGS (\\Seen)\r\n"}, Unavailable, ""),
    ({"UID FETCH FLAGS": None}, Unavailable, "broke off"),
    ({"UID FETCH FLAGS": b"* 1 FETCH (UID 1 FLAGS {99999999999999}\r\n"}, Unavailable, "broke off"),
    ({"UID FETCH FLAGS": b"* 1 FETCH (UID 1 FLAGS {" + b"9" * 5000 + b"}\r\n"}, Unavailable, ""),
    ({"UID FETCH FLAGS": b"\x00\xff\r\n" * 50}, Unavailable, ""),
]


@pytest.mark.parametrize(("answers", "error", "words"), FAILING)
def test_a_failing_server_deletes_nothing(serve, monkeypatch, answers, error, words):
    monkeypatch.setattr(
        "app.sources.imap.connection.AnswerLimits", lambda: AnswerLimits(connect_s=0.5, read_s=0.4, answer_s=3)
    )
    rows = known(serve)
    before = dict(rows.items())
    told: list[Any] = []
    with pytest.raises(Expected) as failed:
        drain(source_at(serve(answers)), rows, into=told)
    assert type(failed.value) is error
    assert words in str(failed.value.what) + str(failed.value.next_step)
    assert "othing was deleted" in str(failed.value.lost)
    assert not any(isinstance(change, Deleted) for change in told)
    assert dict(rows.items()) == before


def test_a_good_server_without_any_extension(serve):
    rows = known(serve)
    assert [type(change) for change in drain(source_at(serve()), rows)] == [Unchanged]


def test_a_server_that_says_nothing_is_not_waited_for(serve, monkeypatch):
    monkeypatch.setattr("app.sources.imap.connection.AnswerLimits", lambda: AnswerLimits(read_s=0.2))
    with pytest.raises(Unavailable) as failed:
        source_at(serve({"AUTHENTICATED": b""})).authenticate()
    assert "in time" in str(failed.value.what)


@pytest.mark.parametrize(
    ("piece", "limits"),
    [
        (b"* OK still here\r\n" * 500, AnswerLimits(answer_bytes=200_000)),
        (b"* OK still here\r\n" * 500, AnswerLimits(answer_lines=5_000)),
        (b"x" * 5000, AnswerLimits(line_bytes=200_000)),
        (b"* OK still here\r\n", AnswerLimits(answer_s=0.3)),
        (b"x", AnswerLimits(answer_s=0.3)),
    ],
)
def test_an_answer_without_end_ends(serve, monkeypatch, piece, limits):
    monkeypatch.setattr("app.sources.imap.connection.AnswerLimits", lambda: limits)
    with pytest.raises(Unavailable) as failed:
        source_at(serve({"LIST": repeat(piece)})).search("x", 1)
    assert "broke off" in str(failed.value.what)


def test_stop_is_heard_in_the_middle_of_an_answer(serve):
    source = source_at(serve({"LIST": repeat(b"* OK still here\r\n")}))
    with pytest.raises(Cancelled):
        list(source.changes(CursorRows(), After(12)))


def test_stop_is_heard_while_the_server_says_nothing(serve, monkeypatch):
    """Who quits does not wait for a server that never answers."""
    monkeypatch.setattr("app.sources.imap.connection.AnswerLimits", lambda: AnswerLimits(connect_s=5, read_s=30))
    monkeypatch.setattr("app.sources.imap.transport._LOOK_S", 0.02)
    with pytest.raises(Cancelled):
        list(source_at(serve({"LIST": b""})).changes(CursorRows(), After(12)))


@pytest.mark.parametrize(
    "answer",
    [
        f"TAG NO try again later: {SECRET}\r\n",
        f"TAG NO try again: {b64encode(f'{NUL}anna{NUL}{SECRET}'.encode()).decode()}\r\n",
    ],
)
def test_a_password_that_the_server_repeats_is_not_shown(serve, answer):
    with pytest.raises(Expected) as failed:
        drain(source_at(serve({"AUTHENTICATED": answer.encode()})), CursorRows())
    shown = f"{failed.value.what} {failed.value.lost} {failed.value.next_step}"
    assert SECRET not in shown
    assert "again:" not in shown


def test_what_a_server_says_is_shown_as_it_says_it(serve):
    with pytest.raises(RateLimited) as failed:
        drain(source_at(serve({"AUTHENTICATED": "TAG NO 登录过于频繁，请稍后再试\r\n".encode()})), CursorRows())
    assert str(failed.value.what).endswith("登录过于频繁，请稍后再试")


def test_what_was_fetched_before_the_server_died_is_kept(serve, monkeypatch):
    monkeypatch.setattr("app.sources.imap.sync._FETCHED_AT_ONCE", 2)
    half = bodies(range(4, 6))[:-60]
    rows = CursorRows()
    with pytest.raises(Unavailable):
        drain(source_at(serve({"UID FETCH BODY": [half, None], "LOGOUT": None})), rows)
    changes = drain(source_at(serve()), rows)
    assert sum(isinstance(change, Added) for change in changes) == 5
    assert not any(isinstance(change, Deleted) for change in changes)


def test_an_error_never_quotes_a_mail(serve):
    spoiled = fetched(range(1, 6)).replace(b" {", b" {1")
    with pytest.raises(Unavailable) as failed:
        drain(source_at(serve({"UID FETCH IDENTITY": [spoiled, None]})), CursorRows())
    assert "bo@example" not in f"{failed.value.what} {failed.value.next_step}"


def test_a_message_that_is_not_handed_out_is_told(serve):
    changes = drain(source_at(serve({"UID FETCH BODY": bodies([1, 2, 4, 5])})), CursorRows())
    assert sum(isinstance(change, Added) for change in changes) == 4
    assert [change.native_id.partition("/")[0] for change in changes if isinstance(change, Skipped)] == [
        "m3@example.org"
    ]


def test_a_folder_that_cannot_be_opened_deletes_nothing(serve):
    rows = known(serve)
    changes = drain(source_at(serve({"EXAMINE": b"TAG NO [NOPERM] not yours\r\n"})), rows)
    assert [change.native_id for change in changes if isinstance(change, Skipped)] == ["INBOX"]
    assert not any(isinstance(change, Deleted) for change in changes)
    assert [type(change) for change in drain(source_at(serve()), rows)] == [Unchanged]


def test_an_inbox_that_is_suddenly_empty_stops_and_asks(serve):
    rows = known(serve)
    empty = {"EXAMINE": GOOD["EXAMINE"].replace(b"5 EXISTS", b"0 EXISTS"), "UID SEARCH": b"* SEARCH\r\nTAG OK done\r\n"}
    with pytest.raises(Refused):
        drain(source_at(serve(empty)), rows)


def test_numbers_without_validity_are_never_relied_upon(serve):
    rows = known(serve)
    unsure = {"EXAMINE": GOOD["EXAMINE"].replace(b"* OK [UIDVALIDITY 7] x\r\n", b"")}
    server = serve(unsure)
    for _ in range(2):
        changes = drain(source_at(server), rows)
        assert [type(change) for change in changes if not isinstance(change, Unchanged)] != []
        assert not any(isinstance(change, Added | Deleted) for change in changes)
    assert "UID FETCH BODY" not in server.commands


def test_folders_with_names_that_are_not_allowed(serve):
    names = b'* LIST () "/" "&broken"\r\n* LIST () "/" "\xe9\xa1\xb9"\r\n* LIST () "/" "&UXZO1k5eXuo-"\r\n'
    listed = {"LIST": names + GOOD["LIST"]}
    changes = drain(source_at(serve(listed), folders="*"), CursorRows())
    assert sum(isinstance(change, Added) for change in changes) == 5
    assert any(isinstance(change, Skipped) for change in changes)


def test_without_encryption_no_password_is_sent(serve):
    server = serve()
    with pytest.raises(Unavailable) as failed:
        source_at(server, security="").authenticate()
    assert "no password was sent" in str(failed.value.lost)
    assert set(server.commands) <= {"CAPABILITY", "LOGOUT"}


def test_a_server_that_wants_no_password_before_encryption_is_not_believed(serve):
    server = serve(
        {"GREETING": b"* PREAUTH welcome\r\n", "CAPABILITY": CAPABILITIES.strip() + b" STARTTLS\r\nTAG OK x\r\n"}
    )
    with pytest.raises(Unavailable):
        source_at(server, security="").authenticate()
    assert "LIST" not in server.commands


@pytest.fixture
def foreign_tls(tmp_path: Path) -> ssl.SSLContext:
    """A certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime(2025, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=20_000))
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (tmp_path / "pem").write_bytes(pem + made.public_bytes(serialization.Encoding.PEM))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "pem")
    return tls


def test_an_unknown_certificate_is_refused(serve, foreign_tls):
    server = serve(tls=foreign_tls)
    with pytest.raises(Unavailable) as failed:
        source_at(server, "imaps").authenticate()
    assert "certificate" in str(failed.value.what)
    assert server.commands == []
    later = serve({"CAPABILITY": CAPABILITIES.strip() + b" STARTTLS\r\nTAG OK x\r\n", "STARTTLS": b"TAG OK go\r\n"})
    later.encrypt_later(foreign_tls)
    with pytest.raises(Unavailable) as failed:
        source_at(later, security="").authenticate()
    assert "certificate" in str(failed.value.what)
    assert "AUTHENTICATE" not in later.commands


def test_a_server_without_encryption_behind_an_encrypted_address(serve):
    with pytest.raises(Unavailable) as failed:
        source_at(serve(), "imaps").authenticate()
    assert "encrypted" in str(failed.value.what)


def test_nothing_leaves_without_a_ledger(serve):
    server = serve()
    source = source_at(server)
    source._context = replace(source._context, ledger=None)
    with pytest.raises(Refused):
        source.authenticate()
    assert server.commands == []


def test_a_user_name_is_needed(serve):
    source = source_at(serve(), user="\x01")
    with pytest.raises(BadInput):
        source.authenticate()


def test_a_server_that_cannot_push_says_so(serve):
    with pytest.raises(Refused):
        source_at(serve()).wait_for_change(Never())


def test_identities_without_a_message_id(serve):
    bare = {
        "UID FETCH IDENTITY": fetched(range(1, 6)).replace(
            b"Message-ID: <m3@example.org>", b"Comments: no id, 34567890123"
        )
    }
    changes = drain(source_at(serve(bare)), CursorRows())
    uris = [change.entry.source_uri for change in changes if isinstance(change, Added)]
    assert sum(uri.startswith("mid:") for uri in uris) == 4
