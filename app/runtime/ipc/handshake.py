"""Both sides prove that they know the endpoint's key, without sending it (HMAC-SHA256 over two nonces).

The client must be no stranger; and the server must be no impostor that took a dead owner's address.
"""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.connection import _ConnectionBase as AnyConnection

_NONCE_BYTES = 32
_PROOF_BYTES = 32
TIMEOUT_S = 10.0


class HandshakeFailed(OSError):
    """The other side is slow, gone, or not who it should be."""


def as_server(connection: AnyConnection, key: bytes) -> None:
    """Let a client in, or raise `HandshakeFailed`."""
    ours = secrets.token_bytes(_NONCE_BYTES)
    _send(connection, ours)
    answer = _receive(connection, _NONCE_BYTES + _PROOF_BYTES)
    theirs, proof = answer[:_NONCE_BYTES], answer[_NONCE_BYTES:]
    if not hmac.compare_digest(proof, _proof(key, b"client", ours + theirs)):
        raise HandshakeFailed("the client does not know the key")
    _send(connection, _proof(key, b"server", ours + theirs))


def as_client(connection: AnyConnection, key: bytes) -> None:
    """Introduce ourselves, or raise `HandshakeFailed`."""
    theirs = _receive(connection, _NONCE_BYTES)
    ours = secrets.token_bytes(_NONCE_BYTES)
    _send(connection, ours + _proof(key, b"client", theirs + ours))
    proof = _receive(connection, _PROOF_BYTES)
    if not hmac.compare_digest(proof, _proof(key, b"server", theirs + ours)):
        raise HandshakeFailed("the server does not know the key")


def _proof(key: bytes, role: bytes, nonces: bytes) -> bytes:
    return hmac.digest(key, role + nonces, "sha256")


def _send(connection: AnyConnection, data: bytes) -> None:
    try:
        connection.send_bytes(data)
    except OSError as error:
        raise HandshakeFailed("gone") from error


def _receive(connection: AnyConnection, size: int) -> bytes:
    try:
        if not connection.poll(TIMEOUT_S):
            raise HandshakeFailed("slow")
        data = connection.recv_bytes(size)
    except (EOFError, OSError) as error:
        raise HandshakeFailed("gone") from error
    if len(data) != size:
        raise HandshakeFailed("not a handshake")
    return data
