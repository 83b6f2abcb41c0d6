"""Every setting of Famulus, declared once: its name, kind, default and meaning.

The settings file, `famulus settings`, the reference page and the window's dialog are all derived from here. A name is
`section.key` as in the TOML file; the order is the order in which people see them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.domain.text import Text, msg
from app.settings.kinds import Choice, Flag, Fraction, Kind, Pattern, Whole

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One declaration.

    Attributes:
        needs_restart: whether a change takes effect only when the process that owns the data starts again.
    """

    name: str
    kind: Kind[T]
    default: T
    meaning: Text
    needs_restart: bool = False

    @property
    def section(self) -> str:
        """The TOML table."""
        return self.name.partition(".")[0]

    @property
    def key(self) -> str:
        """The key within the table."""
        return self.name.partition(".")[2]


LANGUAGE = Setting(
    "interface.language",
    Choice(("auto", "en", "zh_CN")),
    "auto",
    msg("The language of the interface; auto takes the system's."),
)
THEME = Setting(
    "interface.theme",
    Choice(("auto", "light", "dark")),
    "auto",
    msg("Light or dark; auto follows the system."),
)
HOTKEY = Setting(
    "interface.hotkey",
    Pattern(r"(<[a-z0-9_]+>\+)+(<[a-z0-9_]+>|[^<>+\s])", "<ctrl>+<alt>+<space>"),
    "<ctrl>+<alt>+<space>",
    msg("The keys that open quick-ask from anywhere."),
)
OWN_ADDRESSES = Setting(
    "person.addresses",
    Pattern(r"(|[^\s,;@]+@[^\s,;@]+(\s*[,;]\s*[^\s,;@]+@[^\s,;@]+)*)", "me@example.com, me@work.example"),
    "",
    msg("Your own mail addresses, separated by commas: what they wrote is yours, and whom they write to is known."),
)
MODEL_THREADS = Setting(
    "model.threads",
    Whole(0, 64),
    0,
    msg("Processor threads for the embedding model; 0 chooses by the number of cores."),
    needs_restart=True,
)
MODEL_IDLE_UNLOAD_MINUTES = Setting(
    "model.idle_unload_minutes",
    Whole(0, 1440),
    10,
    msg("Minutes without use after which the model leaves memory; 0 keeps it."),
)
HEADLESS_IDLE_EXIT_S = Setting(
    "process.headless_idle_exit_s",
    Whole(5, 86_400),
    300,
    msg("Seconds without a request after which a process that the command line started ends."),
    needs_restart=True,
)
WATCH = Setting(
    "sync.watch",
    Flag(),
    default=True,
    meaning=msg("Collect changes as soon as a watched folder changes."),
)
SYNC_INTERVAL_MINUTES = Setting(
    "sync.interval_minutes",
    Whole(0, 10_080),
    30,
    msg("Minutes between two looks at every source while Famulus runs; 0 only looks when asked."),
)
PAUSE_ON_BATTERY = Setting(
    "sync.pause_on_battery",
    Flag(),
    default=True,
    meaning=msg("Collect nothing by the clock while the device runs on its battery; changed folders still are."),
)
PAUSE_ON_METERED = Setting(
    "sync.pause_on_metered",
    Flag(),
    default=True,
    meaning=msg("Leave sources on servers alone while the network is paid by volume, unless asked to sync."),
)
MAX_DELETED_SHARE = Setting(
    "sync.max_deleted_share",
    Fraction(0.0, 1.0),
    0.20,
    msg("A sync that would delete more than this share of a source stops and asks."),
)
MAX_DELETED_ITEMS = Setting(
    "sync.max_deleted_items",
    Whole(0, 1_000_000),
    50,
    msg("A sync that would delete more items of a source than this stops and asks."),
)
MAX_FILE_MIB = Setting(
    "files.max_size_mib",
    Whole(1, 2048),
    64,
    msg("Files larger than this many MiB are not read."),
)
PARSE_TIMEOUT_S = Setting(
    "files.parse_timeout_s",
    Whole(1, 600),
    15,
    msg("Seconds after which reading one file is given up."),
    needs_restart=True,
)
PARSE_MEMORY_MIB = Setting(
    "files.parse_memory_mib",
    Whole(128, 16_384),
    1024,
    msg("Memory in MiB that reading one file may take."),
    needs_restart=True,
)
READ_PICTURES = Setting(
    "files.read_pictures",
    Flag(),
    default=True,
    meaning=msg("Read the text in pictures and screenshots, on this device."),
)
READ_RECORDINGS = Setting(
    "files.read_recordings",
    Flag(),
    default=True,
    meaning=msg("Take recordings in, and transcribe them on this device where a speech model is installed."),
)
MAX_ORIGINAL_MIB = Setting(
    "files.max_original_mib",
    Whole(0, 256),
    32,
    msg("Originals of pictures and recordings up to this many MiB are kept, encrypted; 0 keeps none."),
)
READERS = Setting(
    "store.readers",
    Whole(1, 16),
    3,
    msg("Connections that read the database at the same time."),
    needs_restart=True,
)
WRITE_BATCH = Setting(
    "store.write_batch",
    Whole(1, 1000),
    64,
    msg("Entries written together in one transaction, at most."),
)
AUDIT_KEEP_QUERIES = Setting(
    "audit.keep_queries",
    Flag(),
    default=True,
    meaning=msg("Keep in the audit the words that were asked in; else it only tells when, who and what was got."),
)
AUDIT_KEEP_DAYS = Setting(
    "audit.keep_days",
    Whole(7, 36_500),
    400,
    msg("Days after which the audit forgets a request."),
)
LOG_LEVEL = Setting(
    "log.level",
    Choice(("debug", "info", "warning", "error")),
    "info",
    msg("How much the log tells; it never holds personal data."),
    needs_restart=True,
)

DECLARATIONS: tuple[Setting[Any], ...] = (
    LANGUAGE,
    THEME,
    HOTKEY,
    OWN_ADDRESSES,
    MODEL_THREADS,
    MODEL_IDLE_UNLOAD_MINUTES,
    HEADLESS_IDLE_EXIT_S,
    WATCH,
    SYNC_INTERVAL_MINUTES,
    PAUSE_ON_BATTERY,
    PAUSE_ON_METERED,
    MAX_DELETED_SHARE,
    MAX_DELETED_ITEMS,
    MAX_FILE_MIB,
    PARSE_TIMEOUT_S,
    PARSE_MEMORY_MIB,
    READ_PICTURES,
    READ_RECORDINGS,
    MAX_ORIGINAL_MIB,
    READERS,
    WRITE_BATCH,
    AUDIT_KEEP_QUERIES,
    AUDIT_KEEP_DAYS,
    LOG_LEVEL,
)
BY_NAME = {setting.name: setting for setting in DECLARATIONS}
