from __future__ import annotations

import base64
import json
import re
import stat
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import (
    BadInput,
    Damaged,
    DiskFull,
    FromTheFuture,
    KeychainLocked,
    KeychainMissing,
    KeyMissing,
    PassphraseNeeded,
    Refused,
    WrongKey,
)
from app.store import wrapping
from app.store.database import Database
from app.store.key_file import KEY_FILE_NAME, KeyMode
from app.store.keys import KeyRing
from app.store.recovery_key import new_recovery_key, secret_of
from app.store.wrapping import Purpose
from tests.unit.store.keychains import MemoryKeychain

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

PASSPHRASE = "correct horse 电池"


@pytest.fixture(autouse=True)
def cheap_argon2(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real costs are a fact of `test_the_costs_of_argon2id_are_those_of_rfc_9106`."""
    if "rfc_9106" not in request.node.name:
        monkeypatch.setattr(wrapping, "_TIME_COST", 1)
        monkeypatch.setattr(wrapping, "_MEMORY_KIB", 64)


@pytest.fixture
def keychain() -> MemoryKeychain:
    return MemoryKeychain()


@pytest.fixture
def ring(basedir: Path, keychain: MemoryKeychain) -> KeyRing:
    return KeyRing(basedir, keychain)


def key_file(ring: KeyRing) -> Path:
    return ring._path


def change(ring: KeyRing, **fields: object) -> None:
    path = key_file(ring)
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_a_new_key_is_kept_in_the_keychain_alone(ring: KeyRing, keychain: MemoryKeychain) -> None:
    assert ring.mode() is KeyMode.NEW
    made = ring.create()
    assert ring.mode() is KeyMode.KEYCHAIN
    assert ring.unlock() == made.key
    text = key_file(ring).read_text()
    for form in (made.key.secret.hex(), base64.b64encode(made.key.secret).decode(), made.recovery_key):
        assert form not in text
    assert list(keychain.secrets) == [f"database {made.key.key_id.hex()}"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_key_file_is_for_its_owner_alone(ring: KeyRing) -> None:
    ring.create()
    assert stat.S_IMODE(key_file(ring).stat().st_mode) == 0o600


def test_a_passphrase_wraps_the_key(ring: KeyRing, keychain: MemoryKeychain) -> None:
    made = ring.create(passphrase=PASSPHRASE)
    assert (ring.mode(), keychain.secrets) == (KeyMode.PASSPHRASE, {})
    assert ring.unlock(passphrase=PASSPHRASE) == made.key
    with pytest.raises(PassphraseNeeded):
        ring.unlock()
    with pytest.raises(WrongKey):
        ring.unlock(passphrase=PASSPHRASE + " ")


def test_a_passphrase_is_the_same_from_every_input_method(ring: KeyRing) -> None:
    made = ring.create(passphrase="Ｃafé")
    assert ring.unlock(passphrase="Cafe\u0301") == made.key


def test_a_passphrase_works_without_a_keychain(basedir: Path) -> None:
    ring = KeyRing(basedir, MemoryKeychain(refuses=KeychainMissing))
    made = ring.create(passphrase=PASSPHRASE)
    assert ring.unlock(passphrase=PASSPHRASE) == made.key


@pytest.mark.parametrize("refusal", [KeychainLocked, KeychainMissing])
def test_without_its_keychain_nothing_is_made(basedir: Path, refusal: type[KeychainLocked]) -> None:
    ring = KeyRing(basedir, MemoryKeychain(refuses=refusal))
    with pytest.raises(refusal):
        ring.create()
    assert list(basedir.iterdir()) == []


def test_a_locked_keychain_can_be_tried_again(ring: KeyRing, keychain: MemoryKeychain) -> None:
    made = ring.create()
    keychain.refuses = KeychainLocked
    with pytest.raises(KeychainLocked):
        ring.unlock()
    keychain.refuses = None
    assert ring.unlock() == made.key


def test_a_keychain_that_forgot_is_mended_by_the_recovery_key(ring: KeyRing, keychain: MemoryKeychain) -> None:
    made = ring.create()
    keychain.secrets.clear()
    with pytest.raises(KeyMissing):
        ring.unlock()
    assert ring.recover(made.recovery_key) == made.key
    assert ring.unlock() == made.key


def test_another_key_under_the_name_is_noticed(ring: KeyRing, keychain: MemoryKeychain) -> None:
    ring.create()
    for other in (base64.b64encode(bytes(32)).decode(), "not base64!", ""):
        keychain.secrets = dict.fromkeys(keychain.secrets, other)
        with pytest.raises(WrongKey):
            ring.unlock()


def test_a_passphrase_can_be_set_changed_and_taken_off(ring: KeyRing, keychain: MemoryKeychain) -> None:
    made = ring.create()
    ring.set_passphrase(made.key, "first")
    assert keychain.secrets == {}
    ring.set_passphrase(made.key, "second")
    with pytest.raises(WrongKey):
        ring.unlock(passphrase="first")
    assert ring.unlock(passphrase="second") == made.key
    ring.set_passphrase(made.key, None)
    assert "passphrase" not in json.loads(key_file(ring).read_text())
    assert ring.unlock() == made.key
    assert ring.unlock(recovery_key=made.recovery_key) == made.key


def test_an_empty_passphrase_is_refused(ring: KeyRing) -> None:
    with pytest.raises(BadInput):
        ring.create(passphrase=" ")
    assert ring.mode() is KeyMode.NEW


def test_a_key_that_a_locked_keychain_still_holds_is_removed_by_the_next_attempt(
    ring: KeyRing, keychain: MemoryKeychain
) -> None:
    made = ring.create()
    keychain.refuses = KeychainLocked
    with pytest.raises(KeychainLocked):
        ring.set_passphrase(made.key, PASSPHRASE)
    keychain.refuses = None
    assert ring.unlock(passphrase=PASSPHRASE) == made.key
    ring.set_passphrase(made.key, PASSPHRASE)
    assert keychain.secrets == {}


def test_a_lost_passphrase_is_replaced_with_the_recovery_key(ring: KeyRing) -> None:
    made = ring.create(passphrase="forgotten")
    assert ring.recover(made.recovery_key, passphrase="new") == made.key
    assert ring.unlock(passphrase="new") == made.key


def test_a_new_recovery_key_voids_the_old_one(ring: KeyRing) -> None:
    made = ring.create()
    newer = ring.new_recovery_key(made.key)
    assert ring.unlock(recovery_key=newer) == made.key
    with pytest.raises(WrongKey):
        ring.unlock(recovery_key=made.recovery_key)


def test_a_full_disk_leaves_the_key_file_as_it_was(ring: KeyRing, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ring.create()
    before = key_file(ring).read_bytes()

    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_room)
    with pytest.raises(DiskFull):
        ring.set_passphrase(made.key, PASSPHRASE)
    monkeypatch.undo()
    assert key_file(ring).read_bytes() == before
    assert ring.unlock() == made.key
    assert [path.name for path in key_file(ring).parent.iterdir()] == [KEY_FILE_NAME]


def test_a_database_is_never_given_a_second_key(ring: KeyRing, now: datetime, path: Path) -> None:
    made = ring.create()
    Database.create(path, made.key, now=now).close()
    with pytest.raises(Refused):
        ring.create()
    assert ring.unlock() == made.key


def test_the_key_of_a_database_that_was_moved_away_is_kept(ring: KeyRing, now: datetime, path: Path) -> None:
    first = ring.create()
    Database.create(path, first.key, now=now).close()
    path.rename(path.with_name("elsewhere.db"))
    before = key_file(ring).read_bytes()
    second = ring.create()
    assert ring.unlock() == second.key != first.key
    assert [old.read_bytes() for old in key_file(ring).parent.glob("key.*.old.json")] == [before]


def test_without_its_key_file_a_database_is_found_in_the_keychain(ring: KeyRing, now: datetime, path: Path) -> None:
    made = ring.create()
    Database.create(path, made.key, now=now).close()
    key_file(ring).unlink()
    assert ring.mode() is KeyMode.KEYCHAIN
    assert ring.unlock() == made.key
    # which also makes the key file anew
    newer = ring.new_recovery_key(made.key)
    assert ring.unlock(recovery_key=newer) == made.key


@pytest.mark.parametrize("refusal", [None, KeychainMissing])
def test_without_key_file_and_keychain_nothing_is_made(
    ring: KeyRing, keychain: MemoryKeychain, now: datetime, path: Path, refusal: type[KeychainMissing] | None
) -> None:
    made = ring.create(passphrase=PASSPHRASE)
    Database.create(path, made.key, now=now).close()
    key_file(ring).unlink()
    keychain.refuses = refusal
    for attempt in (ring.mode, ring.unlock, lambda: ring.unlock(passphrase=PASSPHRASE)):
        with pytest.raises(KeyMissing, match=r"key\.json"):
            attempt()
    assert not key_file(ring).exists()


def test_the_key_file_of_another_database_is_recognised(ring: KeyRing, now: datetime, path: Path) -> None:
    made = ring.create()
    Database.create(path, made.key, now=now).close()
    change(ring, key_id="00" * 16)
    with pytest.raises(WrongKey, match="another database"):
        ring.unlock()


def test_a_wrap_belongs_to_its_database_and_purpose(ring: KeyRing) -> None:
    made = ring.create(passphrase=PASSPHRASE)
    change(ring, key_id="00" * 16)
    for secret in ({"passphrase": PASSPHRASE}, {"recovery_key": made.recovery_key}):
        with pytest.raises(WrongKey):
            ring.unlock(**secret)


def test_a_wrap_opens_for_its_own_database_and_purpose_alone() -> None:
    made = wrapping.wrap(bytes(32), Purpose.RECOVERY, b"secret", b"1" * 16)
    assert wrapping.unwrap(made, b"secret", b"1" * 16) == bytes(32)
    assert wrapping.unwrap(made, b"secret", b"2" * 16) is None
    assert wrapping.unwrap(made, b"other", b"1" * 16) is None
    assert wrapping.unwrap(replace(made, sealed=made.sealed[:-1]), b"secret", b"1" * 16) is None
    passphrase = wrapping.wrap(bytes(32), Purpose.PASSPHRASE, b"secret", b"1" * 16)
    assert wrapping.unwrap(replace(passphrase, purpose=Purpose.RECOVERY), b"secret", b"1" * 16) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"[" * 60_000,
        b'{"format": 1}',
        b'{"format": 1e999}',
        b'{"format": 1, "key_id": "zz", "mode": "keychain", "check": ""}',
    ],
)
def test_a_damaged_key_file_is_left_as_it_is(ring: KeyRing, content: bytes) -> None:
    key_file(ring).write_bytes(content)
    with pytest.raises(Damaged):
        ring.unlock()
    assert key_file(ring).read_bytes() == content


@pytest.mark.parametrize(
    "costs", [{"m_kib": 1 << 40}, {"t": 1 << 31}, {"p": 1 << 24}, {"m_kib": 8}, {"t": 0}, {"salt": "AAAA"}], ids=str
)
def test_a_key_file_that_asks_for_all_memory_or_time_is_refused(ring: KeyRing, costs: dict[str, object]) -> None:
    ring.create(passphrase=PASSPHRASE)
    wrapped = json.loads(key_file(ring).read_text())["passphrase"]
    change(ring, passphrase=wrapped | costs)
    with pytest.raises(Damaged):
        ring.unlock(passphrase=PASSPHRASE)


def test_a_key_file_from_the_future_is_refused(ring: KeyRing) -> None:
    ring.create()
    change(ring, format=2)
    with pytest.raises(FromTheFuture):
        ring.unlock()


def test_the_costs_of_argon2id_are_those_of_rfc_9106(ring: KeyRing) -> None:
    ring.create(passphrase=PASSPHRASE)
    wrapped = json.loads(key_file(ring).read_text())["passphrase"]
    assert (wrapped["kdf"], wrapped["t"], wrapped["m_kib"], wrapped["p"]) == ("argon2id", 3, 65536, 4)


def test_a_recovery_key_is_printed_in_groups() -> None:
    made = new_recovery_key()
    assert re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{5}-){6}[0-9A-HJKMNP-TV-Z]{5}", made)
    assert made != new_recovery_key()
    assert len(secret_of(made)) * 8 >= 160


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([new_recovery_key() for _ in range(4)]), st.data())
def test_a_recovery_key_is_understood_as_people_write_it(made: str, data: st.DataObject) -> None:
    signs = made.replace("-", "")
    written = ""
    for sign in signs:
        looks = {"0": "0Oo", "1": "1Il"}.get(sign, sign + sign.lower())
        written += data.draw(st.sampled_from(looks)) + data.draw(st.sampled_from(["", " ", "-", "\n"]))
    assert secret_of(written) == secret_of(made)


@given(
    st.sampled_from([new_recovery_key() for _ in range(4)]),
    st.integers(0, 34),
    st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
)
def test_every_single_wrong_character_is_noticed(made: str, place: int, wrong: str) -> None:
    signs = made.replace("-", "")
    typed = signs[:place] + wrong + signs[place + 1 :]
    if typed != signs:
        with pytest.raises(BadInput):
            secret_of(typed)


@given(st.sampled_from([new_recovery_key() for _ in range(4)]), st.integers(0, 33))
def test_every_exchange_of_neighbours_is_noticed(made: str, place: int) -> None:
    signs = made.replace("-", "")
    typed = signs[:place] + signs[place + 1] + signs[place] + signs[place + 2 :]
    if typed != signs:
        with pytest.raises(BadInput):
            secret_of(typed)


@pytest.mark.parametrize("typed", ["", "ABC", "U" * 35, "0" * 34, "0" * 36, "电" * 35])
def test_what_cannot_be_a_recovery_key_is_refused(typed: str) -> None:
    with pytest.raises(BadInput):
        secret_of(typed)


@pytest.mark.parametrize("refusal", [KeychainLocked, KeychainMissing])
def test_a_new_passphrase_needs_no_keychain(
    ring: KeyRing, keychain: MemoryKeychain, refusal: type[KeychainLocked]
) -> None:
    """The first run on a desktop whose keychain is broken or locked (D3.1)."""
    keychain.refuses = refusal
    made = ring.create(passphrase="correct horse")
    assert ring.unlock(passphrase="correct horse") == made.key
