"""What a shell may ask of Famulus.

The window calls `facade.Famulus` in its own process; the command line calls `client.RemoteFamulus` in another one.
Both have these methods, so a shell does not know which it holds. Every method may raise `Expected`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from app.domain.progress import ProgressSink, StopSignal, ignore_progress
from app.famulus.api_metrics import MetricsApi
from app.famulus.api_serving import ClientApi, ServingApi

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.changes import ChangeInfo
    from app.domain.checking import CheckReport
    from app.domain.collecting import ImportReport, KindInfo, SourceChange, SourceDraft, SourceInfo, SyncReport
    from app.domain.context_item import AgendaItem, Answer, ContextItem, SearchRequest
    from app.domain.intents import Intent, IntentReading
    from app.domain.outgoing import EgressLine
    from app.domain.people import Person, PersonCard, PersonSuggestion
    from app.domain.rules import RuleFile, RulePreview
    from app.domain.text import Text


class LockState(StrEnum):
    """Whether the database is open, and if not, what it waits for."""

    OPEN = "open"
    NEW = "new"
    PASSPHRASE_NEEDED = "passphrase_needed"  # noqa: S105 - the name of a state
    KEYCHAIN_LOCKED = "keychain_locked"
    KEYCHAIN_MISSING = "keychain_missing"
    KEY_MISSING = "key_missing"
    FAILED = "failed"


class ModelState(StrEnum):
    """What the embedding model is doing; while it is not ready, Famulus answers by words."""

    ABSENT = "absent"
    PREPARING = "preparing"
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is. `waiting` chunks are found by words, and not yet by meaning.

    `understanding`: entries that are still to be understood.
    """

    sources: int = 0
    entries: int = 0
    chunks: int = 0
    waiting: int = 0
    understanding: int = 0


@dataclass(frozen=True, slots=True)
class StatusReport:
    """The state of the whole house at one moment."""

    version: str
    lock: LockState
    lock_problem: Text | None
    lock_next_step: Text | None
    has_recovery_key: bool
    has_window: bool
    model: ModelState
    model_problem: Text | None
    counts: Counts
    is_embedding_paused: bool = False
    process_id: int = 0
    warnings: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """An installed or installable model pack.

    Attributes:
        model_id: of a pack whose manifest cannot be read the name of its folder.
        problem: what is wrong with it; None for one that is as it should be.
        is_in_use: whether it is the embedding model that is loaded.
        fidelity: how true its network is to the exact one, 0..1, measured where it was built.
    """

    model_id: str
    version: str
    task: str
    languages: tuple[str, ...]
    size_bytes: int
    licence: str
    is_installed: bool
    is_verified: bool
    problem: Text | None = None
    is_in_use: bool = False
    fidelity: float = 0.0


class FamulusApi(ClientApi, ServingApi, MetricsApi, Protocol):
    """See the module docstring. Coroutines; progress arrives through `progress`, `stop` pauses and cancels."""

    async def status(self) -> StatusReport:
        """Never raises `Locked`; it is how a shell learns of it."""

    async def create(self, *, passphrase: str | None = None) -> str:
        """Make the database and its key; returns the recovery key, which is shown this once."""

    async def unlock(self, *, passphrase: str | None = None, recovery_key: str | None = None) -> None:
        """Open a locked database."""

    async def lock(self) -> None:
        """Close the database and forget its key."""

    async def set_passphrase(self, passphrase: str | None) -> None:
        """Wrap the key by a passphrase, or (None) put it back into the keychain."""

    async def new_recovery_key(self) -> str:
        """Replace the recovery key; the old one no longer opens anything."""

    async def sources(self) -> Sequence[SourceInfo]:
        """All sources, with their state."""

    async def source_kinds(self) -> Sequence[KindInfo]:
        """What kinds of sources can be added."""

    async def add_source(self, draft: SourceDraft) -> SourceInfo:
        """Add one; it is synced by `sync`. Raises `BadInput`, and `Unavailable` where its password cannot be kept."""

    async def change_source(self, source_id: str, change: SourceChange) -> SourceInfo:
        """Rename, pause, resume or set up a source anew. Raises `BadInput`, `Unavailable`."""

    async def remove_source(self, source_id: str) -> int:
        """Remove a source and everything that came from it; returns the number of entries removed."""

    async def sync(
        self,
        source_id: str | None = None,
        *,
        confirm_deletions: bool = False,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Sequence[SyncReport]:
        """Collect changes of one source, or of all."""

    async def import_paths(
        self, paths: Sequence[str], *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> Sequence[ImportReport]:
        """Take files and folders in once, without a source that follows them."""

    async def clip(self, text: str, *, title: str = "", url: str = "") -> ImportReport:
        """Keep a text: of the page at `url`, or (without one) as the person's own note. Raises `BadInput`."""

    async def wait_until_indexed(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> None:
        """Return when every chunk is found by meaning; at once while there is no model."""

    async def pause_indexing(self, *, is_paused: bool) -> None:
        """Pause or resume the background work on meaning."""

    async def ask(self, text: str) -> Answer:
        """An answer with its sources."""

    async def search(
        self, request: SearchRequest, *, as_client: str | None = None, is_asked: bool = True
    ) -> Sequence[ContextItem]:
        """Passages, best first; with `as_client` what that client would get. Raises `BadInput`.

        Where `is_asked` is False, here and below, a shell shows something by itself: that counts as no request.
        """

    async def span(self, when: str) -> tuple[datetime, datetime]:
        """The span that words name, from its beginning up to its end; raises `BadInput` for what is not understood."""

    async def agenda(self, when: str | None = None, *, is_asked: bool = True) -> Sequence[AgendaItem]:
        """Events, tasks and deadlines of a day or a span, from structure; today without `when`."""

    async def rules(self) -> Sequence[RuleFile]:
        """The rules that a person may add to: which are in force, and whether others wait."""

    async def preview_rules(
        self, name: str = "labels", *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> RulePreview:
        """What the rules of a person's file would change; raises `BadInput` for a wrong file."""

    async def apply_rules(self, name: str = "labels", *, progress: ProgressSink = ignore_progress) -> int:
        """Put a person's rules in force; returns how many entries were labelled otherwise, or are understood anew."""

    async def people(self, limit: int = 50) -> Sequence[Person]:
        """Those who are named most often, first."""

    async def person(self, name: str) -> PersonCard:
        """All that is known of somebody, by a name, an address or a number; raises `BadInput` for none or several."""

    async def people_suggestions(self) -> Sequence[PersonSuggestion]:
        """Pairs who may be one person."""

    async def merge_people(self, one: str, other: str) -> PersonCard:
        """Say that two are one person; raises `BadInput` as `person` does."""

    async def split_person(self, name: str, part: str) -> PersonCard:
        """Take an address or a name away from somebody for good; raises `BadInput`."""

    async def undo_merge(self, merge_id: int) -> None:
        """Take a merge back for good; raises `BadInput` for one that does not hold."""

    async def tasks(
        self, *, owner: str | None = None, include_done: bool = False, is_asked: bool = True
    ) -> Sequence[AgendaItem]:
        """All tasks, of lists and as texts state them, by their day; those without a day last."""

    async def mark_task(self, item_id: str, *, is_done: bool) -> AgendaItem:
        """Mark a task as done, or open it again; raises `BadInput` for an unknown one."""

    async def changes(self, *, limit: int = 100, include_undone: bool = False) -> Sequence[ChangeInfo]:
        """What governance changed by itself, newest first; suggestions among it."""

    async def change(self, change_id: int) -> ChangeInfo:
        """One change; raises `BadInput` for an unknown one."""

    async def undo_change(self, change_id: int) -> ChangeInfo:
        """Take a change back for good; raises `BadInput` for an unknown one, or one that was taken back."""

    async def models(self) -> Sequence[ModelInfo]:
        """The model packs."""

    async def install_model(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> ModelInfo:
        """Fetch, verify and build the embedding model."""

    async def remove_model(self, name: str) -> None:
        """Delete a pack; search goes on by words where it was the embedding model. `BadInput` for an unknown one."""

    async def build_model(
        self,
        folder: str,
        *,
        name: str | None = None,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> ModelInfo:
        """Build a pack of an encoder from its folder on this disk, an absolute path."""

    async def intents(self) -> Sequence[Intent]:
        """The routing table, with the person's additions; raises `BadInput` for a wrong one."""

    async def read_intent(self, text: str) -> IntentReading:
        """What a text is for; raises `Unavailable` while there is no embedding model."""

    async def add_intent_example(self, intent: str, example: str, *, is_new: bool = False) -> None:
        """Add an example to the person's routing table; it counts at once. Raises `BadInput`."""

    async def egress(self, *, limit: int = 100) -> Sequence[EgressLine]:
        """What left the device: the latest lines of the ledger, newest first."""

    async def check(self, *, is_repairing: bool = False, progress: ProgressSink = ignore_progress) -> CheckReport:
        """Prove that the database is whole."""

    async def setting(self, name: str) -> str:
        """A setting's value as text."""

    async def change_setting(self, name: str, value: str) -> None:
        """Change a setting; raises `BadInput` for an unknown name or a bad value."""

    async def show_window(self, *, is_toggling: bool = False) -> bool:
        """Bring quick-ask up, or (toggling) hide it when it is up; False when this process has no window."""

    async def shut_down(self) -> None:
        """End the process that owns the data, cleanly."""
