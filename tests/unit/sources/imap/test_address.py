"""Which server is meant, and how it may be spoken to (X7.1)."""

from __future__ import annotations

import pytest

from app.domain.errors import BadInput
from app.sources.imap.address import Security, canonical, read_address


@pytest.mark.parametrize(
    ("location", "written", "parts"),
    [
        ("imaps://Anna@IMAP.example.com", "imaps://Anna@imap.example.com", ("imap.example.com", 993, "Anna", "tls")),
        ("imaps://a@b.c@imap.x.org:993/", "imaps://a%40b.c@imap.x.org", ("imap.x.org", 993, "a@b.c", "tls")),
        ("imap://a%40b.c@imap.x.org:1143", "imap://a%40b.c@imap.x.org:1143", ("imap.x.org", 1143, "a@b.c", "starttls")),
        ("imap://张三@[::1]", "imap://%E5%BC%A0%E4%B8%89@[::1]", ("::1", 143, "张三", "starttls")),
        ("imaps://imap.x.org", "imaps://imap.x.org", ("imap.x.org", 993, "", "tls")),
    ],
)
def test_an_address_is_understood(location, written, parts):
    assert canonical(location) == written
    assert canonical(written) == written
    address = read_address(written, {})
    assert (address.host, address.port, address.user, address.security) == parts


@pytest.mark.parametrize(
    "location",
    [
        *("", "imap.example.com", "https://example.com", "imaps://", "imaps://a@b:99999", "imaps://a@b:x"),
        *(
            "imaps://a:secret@b.c",
            "imaps://a@b.c/INBOX",
            "imaps://a@b.c?x",
            "imaps://a%0d%0aLOGOUT@b.c",
            "imaps://a@b c",
        ),
        *("imaps://%ff@b.c", "imaps://[::1"),
    ],
)
def test_what_is_no_address_is_refused(location):
    with pytest.raises(BadInput) as refused:
        canonical(location)
    assert str(refused.value.next_step)


def test_the_user_may_stand_in_the_options():
    assert read_address("imaps://b.c", {"user": " anna "}).user == "anna"


@pytest.mark.parametrize(
    ("location", "security", "is_allowed"),
    [
        ("imap://a@localhost", "none", True),
        ("imap://a@127.0.0.1:1143", "none", True),
        ("imap://a@[::1]", "none", True),
        ("imap://a@192.168.1.2", "none", False),
        ("imap://a@127.0.0.1.example.com", "none", False),
        ("imaps://a@localhost", "none", False),
        ("imap://a@localhost", "maybe", False),
    ],
)
def test_only_this_device_is_spoken_to_without_encryption(location, security, is_allowed):
    if is_allowed:
        assert read_address(location, {"security": security}).security is Security.NONE
        return
    with pytest.raises(BadInput):
        read_address(location, {"security": security})
