"""No word, name, path, vector or key is in any file in the clear: running, killed or closed (D3.1)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from app.domain.entries import Chunk, PersonRef, Place
from app.store.connection import PAGE_SIZE
from app.store.database import FILE_NAME
from app.store.key_file import KEY_FILE_NAME
from app.store.keys import KeyRing
from app.store.rows import packed
from app.store.source_rows import add_source, move_cursor
from app.store.store import Store
from app.store.vector_rows import put_vectors
from app.store.writes import remove_source, upsert_entry
from tests.unit.store.keychains import MemoryKeychain
from tests.unit.store.makers import KEY, OWNER, admit, make_chunk, make_entry, source_info
from tests.unit.store.worlds import DIMENSION, MODEL

if TYPE_CHECKING:
    from datetime import datetime

TEXT = "canaryword 金丝雀甲 qzvjkxw"
CANARIES = (
    "canaryword",
    "canarytitle",
    "canaryhead",
    "canaryname",
    "canaryhost",
    "canarypath",
    "canaryscope",
    "金丝雀甲",
)
# as the full-text index keeps them, which leaves out what a term shares with the one before it
TERMS = ("zvjkxw",)
_RESERVE_BYTES = 80
VECTOR = np.linspace(0.01, 0.1, DIMENSION).astype(np.float16)


def write_canaries(store: Store, now: datetime) -> None:
    place = Place(("canaryhead",), message_id="<canaryhost>")
    people = (PersonRef("canaryname", "canaryname@canaryhost", "author"),)
    facts = {"source_uri": "file:///canarypath", "people": people, "metadata": {"canaryhead": "canaryname"}}
    with store.database.write() as tx:
        add_source(tx, source_info(location="/canarypath", scope="canaryscope"))
    # one by one, so that the full-text index is merged on the way and leaves free pages
    for number in range(50):
        entry = make_entry(f"canarypath{number}", title="canarytitle", **facts)
        chunk = Chunk(0, f"{TEXT} {number}", f"canarytitle\n{TEXT} {number}", place, 5, "en")
        with store.database.write() as tx:
            upsert_entry(tx, admit(entry, scope="canaryscope"), [chunk], now=now)
    with store.database.write() as tx:
        put_vectors(tx, MODEL, [(number, VECTOR) for number in range(1, 51)], now=now)
        move_cursor(tx, "notes", {"canarypath1": "canaryhead"}, now=now)


def found_in(folder: Path) -> list[tuple[str, str]]:
    """(file, canary) of everything that is readable in the clear."""
    needles = {text: encoded for text in CANARIES for encoded in (text.encode(), text.encode("utf-16-le"))}
    needles |= {"vector": VECTOR.tobytes()[16:48], "key": KEY.secret, "key in hex": KEY.secret.hex().encode()}
    return [
        (file.name, name)
        for file in folder.rglob("*")
        if file.is_file()
        for name, needle in needles.items()
        if needle in file.read_bytes()
    ]


def test_nothing_is_in_the_clear(basedir: Path, now: datetime) -> None:
    temporary = {file.name for file in Path(os.environ.get("TMPDIR", "/tmp")).iterdir()}  # noqa: S108
    ring = KeyRing(basedir, MemoryKeychain())
    ring.create(passphrase="canaryphrase")
    store = Store.create(basedir / FILE_NAME, KEY, now=now)
    write_canaries(store, now)
    store.vectors(MODEL)
    store.save_vectors(now=now)
    view = store.visibility.view(OWNER, now)
    assert len(store.lexical.search("canaryword", view, 5, is_unrestricted=True).chunk_ids) == 5
    assert (basedir / f"{FILE_NAME}-wal").stat().st_size > 0
    assert found_in(basedir) == []
    store.close()
    assert found_in(basedir) == []
    assert b"canaryphrase" not in (basedir / KEY_FILE_NAME).read_bytes()
    new = {file.name for file in Path(os.environ.get("TMPDIR", "/tmp")).iterdir()} - temporary  # noqa: S108
    assert not {name for name in new if "sql" in name.lower() or "famulus" in name.lower() or "faiss" in name.lower()}


def test_nothing_is_in_the_clear_after_a_kill(basedir: Path) -> None:
    program = Path(__file__).with_name("killed_process.py")
    done = subprocess.run([sys.executable, program, str(basedir / FILE_NAME)], check=False, capture_output=True)
    assert done.returncode < 0 or sys.platform == "win32"
    assert done.stderr == b""
    assert (basedir / f"{FILE_NAME}-wal").stat().st_size > 0
    assert found_in(basedir) == []


def test_what_was_removed_is_in_no_page_of_the_decrypted_database(basedir: Path, now: datetime) -> None:
    """Who has the key later still finds nothing of it: not in free pages, not in the full text, not in the log."""
    store = Store.create(basedir / FILE_NAME, KEY, now=now)
    write_canaries(store, now)
    # most of the full text stays, so that nothing is thrown away whole
    with store.database.write() as tx:
        add_source(tx, source_info("other"))
        for number in range(1000):
            text = f"kept {number} " * 5
            upsert_entry(tx, admit(make_entry(f"k{number}", source_id="other")), [make_chunk(text)], now=now)
    with store.database.write() as tx:
        tx.run("INSERT INTO words (words) VALUES ('optimize')")
    with store.database.write() as tx:
        remove_source(tx, "notes", now=now)
    store.database.checkpoint()
    store.close()
    plain = decrypted(basedir / FILE_NAME)
    assert b"CREATE TABLE" in plain
    leftovers = [text for text in (*CANARIES, *TERMS) if text.encode() in plain]
    leftovers += [str(number) for number in range(50) if packed(f"{TEXT} {number}")[1:] in plain]
    assert leftovers == []
    assert VECTOR.tobytes()[16:48] not in plain


def test_what_was_not_removed_would_be_seen_there(basedir: Path, now: datetime) -> None:
    """The test before this one can fail."""
    store = Store.create(basedir / FILE_NAME, KEY, now=now)
    write_canaries(store, now)
    store.close()
    plain = decrypted(basedir / FILE_NAME)
    assert [text for text in (*CANARIES, *TERMS) if text.encode() not in plain] == []
    assert packed(f"{TEXT} 7")[1:] in plain
    assert VECTOR.tobytes()[16:48] in plain


def decrypted(path: Path) -> bytes:
    """Every page without its encryption (SQLCipher 4: AES-256-CBC, 80 bytes reserved), free ones included."""
    data = path.read_bytes()
    pages = []
    for start in range(0, len(data), PAGE_SIZE):
        page = data[start : start + PAGE_SIZE]
        body, reserve = page[:-_RESERVE_BYTES], page[-_RESERVE_BYTES:]
        cipher = Cipher(AES(KEY.secret), CBC(reserve[:16])).decryptor()
        # the first page begins with the salt
        pages.append(cipher.update(body[16:] if start == 0 else body))
    return b"".join(pages)
