"""The whole house in one process: keys, locking, watching, and life without a model (D3.1, G9.1)."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from app.domain.collecting import SourceChange, SourceDraft, SyncState
from app.domain.context_item import SearchRequest
from app.domain.errors import BadInput, Damaged, Locked, Refused, WrongKey
from app.domain.events import SyncFinished
from app.domain.labels import Sensitivity
from app.famulus.api import LockState, ModelState
from app.govern import pipeline
from app.store import source_rows

PASSPHRASE = "correct horse"


async def test_before_there_is_a_database_everything_says_so(household):
    assert (await household.api.status()).lock is LockState.NEW
    with pytest.raises(Locked):
        await household.api.sources()


async def test_a_recovery_key_opens_what_a_forgotten_passphrase_locked(household):
    recovery = await household.api.create(passphrase=PASSPHRASE)
    assert (await household.api.status()).lock is LockState.OPEN
    await household.api.lock()
    assert (await household.api.status()).lock is LockState.PASSPHRASE_NEEDED
    with pytest.raises(WrongKey):
        await household.api.unlock(passphrase="something else")
    assert (await household.api.status()).lock is LockState.PASSPHRASE_NEEDED

    await household.api.unlock(recovery_key=recovery, passphrase="a new one")
    assert (await household.api.status()).lock is LockState.OPEN
    await household.api.lock()
    with pytest.raises(WrongKey):
        await household.api.unlock(passphrase=PASSPHRASE)
    await household.api.unlock(passphrase="a new one")


async def test_who_asks_while_it_is_being_locked_is_not_told_that_there_is_no_database(household):
    await household.api.create(passphrase=PASSPHRASE)
    locking = asyncio.ensure_future(household.api.lock())
    told = set()
    while not locking.done():
        try:
            await household.api.sources()
        except Locked as problem:
            told.add(str(problem.what))
        await asyncio.sleep(0)
    await locking
    assert told == {"The database is locked."}


async def test_a_new_recovery_key_voids_the_old_one(household):
    old = await household.api.create(passphrase=PASSPHRASE)
    new = await household.api.new_recovery_key()
    assert new != old
    await household.api.lock()
    with pytest.raises(WrongKey):
        await household.api.unlock(recovery_key=old, passphrase=PASSPHRASE)
    await household.api.unlock(recovery_key=new, passphrase=PASSPHRASE)


async def test_a_second_database_is_never_made_over_the_first(household):
    await household.api.create(passphrase=PASSPHRASE)
    with pytest.raises(Refused):
        await household.api.create(passphrase="another")
    await household.api.lock()
    with pytest.raises(Refused):
        await household.api.create(passphrase="another")
    await household.api.unlock(passphrase=PASSPHRASE)


async def test_without_a_model_words_answer(household, tmp_path):
    await household.api.create(passphrase=PASSPHRASE)
    (tmp_path / "note.md").write_text("租房合同：每个月一号交房租。", "utf-8")
    reports = await household.api.import_paths([str(tmp_path / "note.md")])
    assert [(report.added, report.refusal) for report in reports] == [(1, None)]
    again = await household.api.import_paths([str(tmp_path / "note.md")])
    assert (again[0].added, again[0].unchanged) == (0, 1)

    await household.api.wait_until_indexed()
    status = await household.api.status()
    assert status.model is ModelState.ABSENT
    found = await household.api.search(SearchRequest("房租"))
    assert "一号" in found[0].content
    assert "一号" in str((await household.api.ask("什么时候交房租？")).text)


async def test_a_watched_folder_is_collected_by_itself(household, tmp_path):
    await household.api.create(passphrase=PASSPHRASE)
    folder = tmp_path / "watched"
    folder.mkdir()
    (folder / "one.txt").write_text("alpha", "utf-8")
    source = await household.api.add_source(SourceDraft("files", str(folder)))
    synced = asyncio.Event()
    household.bus.subscribe(SyncFinished, lambda event: event.report.unchanged and event.report.added and synced.set())
    await household.api.sync(source.source_id)
    (folder / "two.txt").write_text("bravo", "utf-8")
    await asyncio.wait_for(synced.wait(), 60)
    assert [item.title for item in await household.api.search(SearchRequest("bravo"))] == ["two"]


async def test_a_sync_that_was_cut_off_with_its_process_is_no_sync(household, tmp_path, monkeypatch):
    await household.api.create(passphrase=PASSPHRASE)
    (tmp_path / "f.txt").write_text("x", "utf-8")
    source = await household.api.add_source(SourceDraft("files", str(tmp_path / "f.txt")))

    def cut_off(*_, **__):
        raise asyncio.CancelledError

    monkeypatch.setattr(pipeline, "write_batch", cut_off)
    with pytest.raises(asyncio.CancelledError):
        await household.api.sync(source.source_id)
    assert (await household.api.sources())[0].state is SyncState.IDLE
    assert stored_states(household) == [SyncState.SYNCING]
    await household.api.lock()
    await household.api.unlock(passphrase=PASSPHRASE)
    assert (await household.api.sources())[0].state is SyncState.IDLE
    assert stored_states(household) == [SyncState.IDLE]


def stored_states(household):
    with household.api._vault.house.store.database.reader() as reader:
        return [info.state for info in source_rows.sources(reader)]


async def test_a_removed_source_is_gone_from_every_answer(household, tmp_path):
    await household.api.create(passphrase=PASSPHRASE)
    (tmp_path / "secret.txt").write_text("zebrafish", "utf-8")
    await household.api.import_paths([str(tmp_path / "secret.txt")])
    assert await household.api.search(SearchRequest("zebrafish", include_stale=True))
    assert await household.api.remove_source("imports") == 1
    assert not await household.api.search(SearchRequest("zebrafish", include_stale=True))
    report = await household.api.check()
    assert [finding for finding in report.findings if finding.problem is not None] == []
    with pytest.raises(BadInput):
        await household.api.remove_source("imports")


async def test_who_would_lower_the_sensitivity_of_a_source_is_told_that_it_cannot_be(household, tmp_path):
    await household.api.create(passphrase=PASSPHRASE)
    (tmp_path / "f.txt").write_text("x", "utf-8")
    source = await household.api.add_source(SourceDraft("files", str(tmp_path / "f.txt")))
    same = SourceChange(name="mine", sensitivity=Sensitivity.INTERNAL)
    assert (await household.api.change_source(source.source_id, same)).name == "mine"
    with pytest.raises(BadInput, match="can only be raised"):
        await household.api.change_source(source.source_id, SourceChange(name="x", sensitivity=Sensitivity.PUBLIC))
    assert (await household.api.sources())[0].name == "mine"
    higher = SourceChange(sensitivity=Sensitivity.CONFIDENTIAL)
    assert (await household.api.change_source(source.source_id, higher)).sensitivity is Sensitivity.CONFIDENTIAL


async def test_settings_are_changed_and_checked(household):
    await household.api.change_setting("interface.language", "zh_CN")
    assert await household.api.setting("interface.language") == "zh_CN"
    with pytest.raises(BadInput):
        await household.api.change_setting("interface.language", "klingon")
    with pytest.raises(BadInput):
        await household.api.setting("no.such")


async def test_an_interrupted_creation_is_begun_anew(basedir, open_house):
    """A key without a database holds nothing: the set-up starts over."""
    house = await open_house()
    await house.api.create(passphrase=PASSPHRASE)
    await house.close()
    for path in (basedir / "data").glob("famulus.db*"):
        path.unlink()
    house = await open_house()
    try:
        assert (await house.api.status()).lock is LockState.NEW
        await house.api.create(passphrase="another")
        assert (await house.api.status()).lock is LockState.OPEN
    finally:
        await house.close()


async def test_a_damaged_database_is_rescued_by_a_repair(basedir, tmp_path, open_house):
    """Pages that do not fit their seal: what can be read is copied, the damaged file is kept (X9.2)."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(60):
        (folder / f"{number}.txt").write_text(f"note number{number} " + "some words " * 400, "utf-8")
    house = await open_house()
    await house.api.create(passphrase=PASSPHRASE)
    await house.api.add_source(SourceDraft("files", str(folder)))
    await house.api.sync()
    await house.close()

    file = basedir / "data" / "famulus.db"
    data = bytearray(file.read_bytes())
    for page in range(len(data) // 8192 // 2, len(data) // 8192, 9):
        data[page * 8192 + 100 : page * 8192 + 116] = bytes(16)
    file.write_bytes(data)

    house = await open_house()
    try:
        with contextlib.suppress(Damaged):
            await house.api.unlock(passphrase=PASSPHRASE)
        await house.api.check(is_repairing=True)
        await house.api.sync()
        report = await house.api.check()
        assert [finding for finding in report.findings if finding.problem is not None] == []
        assert (await house.api.status()).counts.entries == 60
        assert list((basedir / "data").glob("famulus.db.damaged-*"))
        for number in (0, 30, 59):
            assert await house.api.search(SearchRequest(f"number{number}"))
    finally:
        await house.close()
