"""The system keychain. Its calls can wait for a person at a prompt, so each runs in a thread of its own, with a limit.

Only backends that keep secrets encrypted are used; a plaintext one counts as none (DESIGN 4).
"""

from __future__ import annotations

import logging
import queue
import threading
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from app.domain.errors import KeychainLocked, KeychainMissing, KeyMissing
from app.domain.text import msg
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
SERVICE = "famulus"
_BEHIND_A_PROMPT_S = 2.0
_TRUSTED = frozenset(
    f"keyring.backends.{name}" for name in ("SecretService", "kwallet", "libsecret", "macOS", "Windows")
)
_log = logging.getLogger(__name__)


class _Keyring(Protocol):
    """What we need of a backend."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


class Keychain:
    """Secrets by name, under one service.

    Every method raises `KeychainMissing` where the system has no keychain, and `KeychainLocked` when it did not answer
    in `timeout_s` seconds, stayed locked, or failed.
    """

    def __init__(self, service: str = SERVICE, *, timeout_s: float = 60.0) -> None:
        self._service = service
        self._timeout_s = timeout_s
        self._under_way: dict[object, float] = {}
        self._lock = threading.Lock()

    def get(self, name: str) -> str:
        """A secret; raises `KeyMissing` when the keychain works and does not hold it."""
        secret = self._within_limit(lambda keyring: keyring.get_password(self._service, name))
        if secret is None:
            raise KeyMissing(
                msg("The system keychain does not hold the key of this database."),
                next_step=msg("Unlock it with your recovery key: famulus key unlock --recovery"),
            )
        return secret

    def set(self, name: str, secret: str) -> None:
        """Keep a secret, and read it back: a keychain that forgets must be noticed before anything depends on it."""
        self._within_limit(lambda keyring: keyring.set_password(self._service, name, secret))
        if self._within_limit(lambda keyring: keyring.get_password(self._service, name)) != secret:
            raise _failed()

    def delete(self, name: str) -> None:
        """Forget a secret, if it is there."""

        def forget(keyring: _Keyring) -> None:
            if keyring.get_password(self._service, name) is not None:
                keyring.delete_password(self._service, name)

        self._within_limit(forget)

    def _within_limit(self, call: Callable[[_Keyring], T]) -> T:
        results: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

        timeout_s = self._begin(results)

        def work() -> None:
            try:
                results.put((call(_backend()), None))
            except BaseException as error:  # noqa: BLE001 - a border: handed to the waiting thread
                results.put((None, error))
            finally:
                with self._lock:
                    self._under_way.pop(results)

        # A daemon: a prompt that nobody answers must not keep the process from ending.
        threading.Thread(target=work, name="famulus-keychain", daemon=True).start()
        try:
            result, error = results.get(timeout=timeout_s)
        except queue.Empty:
            raise _silent() from None
        if error is not None:
            raise _explain(error) from error
        return result  # type: ignore[return-value]  # None only where T is

    def _begin(self, call: object) -> float:
        """How long to wait: a prompt that nobody answers is waited for once, not once for every source."""
        now_s = clock.monotonic_s()
        with self._lock:
            self._under_way[call] = now_s
            left_s = min(self._under_way.values()) + self._timeout_s - now_s
        return max(left_s, min(self._timeout_s, _BEHIND_A_PROMPT_S))


def _backend() -> _Keyring:
    """The best encrypted keyring of this system; the person's own choice where it is one."""
    import keyring  # noqa: PLC0415 - 60 ms, and only for who needs it
    import keyring.backends.chainer  # noqa: PLC0415

    chosen = keyring.get_keyring()
    candidates = chosen.backends if isinstance(chosen, keyring.backends.chainer.ChainerBackend) else [chosen]
    for candidate in candidates:
        if type(candidate).__module__ in _TRUSTED:
            return cast("_Keyring", candidate)
    raise KeychainMissing(
        msg("This system has no keychain that Famulus can use."),
        next_step=msg(
            "Give a passphrase instead: by FAMULUS_PASSPHRASE, by --passphrase-fd, or when a terminal asks for it."
        ),
    )


def _explain(error: BaseException) -> BaseException:
    import keyring.errors  # noqa: PLC0415

    if isinstance(error, KeychainMissing):
        return error
    if isinstance(error, keyring.errors.NoKeyringError):
        return KeychainMissing(
            msg("This system has no keychain that Famulus can use."),
            next_step=msg("Give a passphrase instead: by FAMULUS_PASSPHRASE, or with --passphrase-fd."),
        )
    if isinstance(error, keyring.errors.KeyringLocked):
        return KeychainLocked(
            msg("The system keychain is locked."),
            next_step=msg("Unlock your keychain (logging in again does), then try again."),
        )
    _log.warning("the keychain failed", exc_info=error)
    return _failed()


def _failed() -> KeychainLocked:
    return KeychainLocked(
        msg("The system keychain does not work properly now."),
        next_step=msg("Look at your keychain program, then try again."),
    )


def _silent() -> KeychainLocked:
    return KeychainLocked(
        msg("The system keychain did not answer in time."),
        next_step=msg("It may be waiting for you at a prompt: unlock it there, then try again."),
    )
