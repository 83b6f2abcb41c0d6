"""By which way a request leaves: the proxies that the system names, and whose certificates are trusted."""

from __future__ import annotations

import functools
import ipaddress
import ssl
import sys
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

_LOCAL = frozenset(("localhost", "localhost.localdomain"))


def is_this_device(host: str) -> bool:
    """Whether a host is this device, whose traffic no network sees."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") in _LOCAL


def has_clear_way(url: str) -> bool:
    """Whether nobody on the way can read what is sent: by TLS, or within this device."""
    parts = urlsplit(url)
    return parts.scheme == "https" or is_this_device(parts.hostname or "")


def proxy_for(url: str) -> str | None:
    """The proxy that the system (environment, registry) names for an address; never one for this device."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_this_device(host):
        return None
    found = getproxies()
    proxy = found.get(parts.scheme) or found.get("all")
    if not proxy or proxy_bypass(host):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


@functools.cache
def trusted() -> ssl.SSLContext:
    """Certificates are checked against the system's own list; where Python finds none (macOS), a bundled one."""
    context = ssl.create_default_context()
    if sys.platform == "darwin" and not context.cert_store_stats()["x509_ca"]:
        import certifi  # noqa: PLC0415 - where it is needed

        context.load_verify_locations(certifi.where())
    return context
