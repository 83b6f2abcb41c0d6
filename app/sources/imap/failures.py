"""What goes wrong with a mail server, as a person can understand it. Nothing of it is ever taken for a deletion."""

from __future__ import annotations

import ast
import contextlib
import imaplib
import re
import ssl
from typing import TYPE_CHECKING

from imapclient.exceptions import LoginError, ProtocolError

from app.domain.errors import RateLimited, Unavailable
from app.domain.text import Text, msg
from app.sources.parsing.blocks import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.errors import Expected

# What the library's own parsers raise on an answer that they do not expect
GARBAGE = (
    *(ValueError, TypeError, IndexError, KeyError, AttributeError, LookupError, AssertionError),
    *(RecursionError, OverflowError, StopIteration, RuntimeError),
)
_PATIENCE = re.compile(
    r"\[(?:UNAVAILABLE|LIMIT|INUSE|THROTTLED|SERVERBUG|CONTACTADMIN)\b|too many|rate.?limit|throttl|bandwidth|try again"
    r"|temporar|exceeded|太多|频繁|稍后",
    re.IGNORECASE,
)
_FULL = re.compile(r"\[OVERQUOTA\b|over ?quota", re.IGNORECASE)
_ANSWER_CHARS = 200
_WRITTEN_BYTES = re.compile(r"b(?P<sign>['\"]).*(?P=sign)", re.DOTALL)
_NOTHING_DELETED = msg("Nothing was deleted.")
_LATER = msg("Famulus tries again later by itself; to try now, sync again.")


@contextlib.contextmanager
def explained(recipient: str) -> Iterator[None]:
    """Turn whatever a connection raises into an `Unavailable` that says what to do."""
    try:
        yield
    except ssl.SSLCertVerificationError:
        raise _unavailable(
            msg("The certificate of {server} is not valid, so it may be somebody else.", server=recipient),
            msg(
                "Check the server's name and this device's date; if the server is your own, make its certificate known "
                "to this system."
            ),
        ) from None
    except ssl.SSLError:
        raise _unavailable(
            msg("No encrypted connection to {server} came about.", server=recipient),
            msg("Check the port, and whether the address begins with imaps:// or imap://."),
        ) from None
    except TimeoutError:
        raise _unavailable(msg("{server} did not answer in time.", server=recipient), _LATER) from None
    except OSError:
        raise _unavailable(
            msg("{server} cannot be reached.", server=recipient),
            msg("Check the connection and the server's name; Famulus tries again later by itself."),
        ) from None
    except LoginError as error:
        if isinstance(error.__context__, imaplib.IMAP4.abort):
            raise _broken_off(str(error), recipient) from None
        raise sign_in_failed(str(error), recipient) from None
    except imaplib.IMAP4.abort as error:
        raise _broken_off(str(error), recipient) from None
    except (ProtocolError, *GARBAGE):  # without its words, which may be those of a mail
        raise _unavailable(
            msg("{server} answers in a way that makes no sense.", server=recipient),
            msg("Check whether a mail server (IMAP) is at this address; Famulus tries again later by itself."),
        ) from None
    except imaplib.IMAP4.error as error:
        raise refusal(str(error), recipient) from None


def refusal(answer: str, recipient: str) -> Expected:
    """A command that the server did not want to do."""
    if _PATIENCE.search(answer):
        return RateLimited(
            msg("{server} asks for patience: {answer}", server=recipient, answer=_shown(answer)),
            lost=_NOTHING_DELETED,
            next_step=_LATER,
        )
    if _FULL.search(answer):
        return _unavailable(
            msg("The mailbox is full: {answer}", answer=_shown(answer)),
            msg("Delete or move some mail at the server, and sync again."),
        )
    return _unavailable(msg("{server} refuses: {answer}", server=recipient, answer=_shown(answer)), _LATER)


def sign_in_failed(answer: str, recipient: str) -> Expected:
    """The server did not let the user in, for now or at all."""
    if _PATIENCE.search(answer) or _FULL.search(answer):
        return refusal(answer, recipient)
    return _unavailable(
        msg("{server} does not accept the user name or the password.", server=recipient),
        msg(
            "Check both. Many providers want a password made for programs (an app password), and IMAP switched on in "
            "their settings."
        ),
    )


def _broken_off(answer: str, recipient: str) -> Expected:
    if _PATIENCE.search(answer):
        return refusal(answer, recipient)
    return _unavailable(msg("The connection to {server} broke off.", server=recipient), _LATER)


def _unavailable(what: Text, next_step: Text) -> Unavailable:
    return Unavailable(what, lost=_NOTHING_DELETED, next_step=next_step)


def _shown(answer: str) -> str:
    """What a server said, as a short line; the libraries hand bytes on as Python writes them."""
    if _WRITTEN_BYTES.fullmatch(answer):
        with contextlib.suppress(ValueError, SyntaxError):
            answer = ast.literal_eval(answer).decode("utf-8", "replace")
    return one_line("".join(sign for sign in answer if sign.isprintable()), _ANSWER_CHARS)
