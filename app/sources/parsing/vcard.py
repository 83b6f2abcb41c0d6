"""Contact cards (vCard 2.1, 3.0, 4.0): an entry for each person, with what tells who they are (G1.1, G2.4)."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import ContactFacts, PersonRef
from app.domain.labels import BlockKind, EntryKind
from app.domain.text import counted, msg
from app.sources.parsing.blocks import BlockWriter, distinct, one_line
from app.sources.parsing.dates import read_instant
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.plain_text import decoding_warnings, paragraphs
from app.sources.parsing.refusals import damaged
from app.sources.parsing.vcard_lines import cards
from app.sources.parsing.vcard_names import is_cjk, names_of, phonetic_names
from app.sources.parsing.vcard_values import accounts_of, addresses_of, birthday_of, phones_of, places_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.entries import Block
    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About
    from app.sources.parsing.vcard_lines import Property

# Properties that change with every export and not with the person, or say nothing of them
_VOLATILE = frozenset(("REV", "PRODID", "VERSION", "UID", "X-PRODID"))
_IDENTITY = _VOLATILE | {"KIND", "CATEGORIES", "CLASS", "MAILER", "SORT-STRING"}
_GROUP_KINDS = frozenset(("group", "list"))
_ORGANISATION_KINDS = frozenset(("org", "organization", "location", "device", "application", "company"))
_ENGLISH = ("Phone", "Email", "Account", "Address", "Birthday", "Organisation", "Role")
_CHINESE = ("电话", "邮箱", "账号", "地址", "生日", "单位", "职务")


def parse(decoded: Decoded, about: About) -> Parsed:
    """Read a file of one or more cards.

    Raises:
        Unreadable: there is no card in it that says anything.
    """
    said = list(decoding_warnings(decoded))
    entries: list[ParsedEntry] = []
    count = empty = 0
    for properties in cards(decoded.text):
        count += 1
        if not _says_something(properties):
            empty += 1
        elif len(entries) < about.limits.entries:
            entries.append(_Card(properties, about).entry())
    if not entries:
        raise damaged("vCard")
    if empty:
        said.append(
            counted("{count} empty card in it was left out.", "{count} empty cards in it were left out.", count=empty)
        )
    if count - empty > about.limits.entries:
        said.append(msg("Only the first {count} entries were taken in.", count=about.limits.entries))
    facts = MappingProxyType({"contacts": count})
    return Parsed("vcard", _with_own_fragments(entries), warnings=distinct(said), facts=facts)


def _says_something(properties: Iterable[Property]) -> bool:
    return any(one.name not in _IDENTITY and one.value.strip(" ;,") for one in properties)


class _Card:
    """One card."""

    def __init__(self, properties: Sequence[Property], about: About) -> None:
        self._about = about
        self._all = properties
        self._by_name: dict[str, list[Property]] = {}
        for one in properties:
            self._by_name.setdefault(one.name, []).append(one)
        kind = self._one("KIND") or self._one("X-ADDRESSBOOKSERVER-KIND") or self._one("X-ABSHOWAS")
        self._kind = kind.lower()
        self._hash = self._hash_of_all()
        self._labels = {
            one.group: one_line(one.text, 60).removeprefix("_$!<").removesuffix(">!$_")
            for one in properties
            if one.group and one.name == "X-ABLABEL"
        }
        self._names = names_of(properties)
        self._phones = phones_of(properties)
        self._addresses = addresses_of(properties)
        self._organisation = ", ".join(filter(None, self._first_parts("ORG")))

    def entry(self) -> ParsedEntry:
        """The card as an entry; a list of contacts, or a firm, is nobody."""
        facts = ContactFacts(
            names=(*self._names, *(name for name in phonetic_names(self._all) if name not in self._names)),
            addresses=tuple(address for address, _ in self._addresses),
            phones=tuple(phone for phone, _ in self._phones),
            accounts=accounts_of(self._all),
            organisation=one_line(self._organisation, 200),
            role=self._one("TITLE") or self._one("ROLE"),
            birthday=birthday_of(self._all),
        )
        is_person = self._kind not in _GROUP_KINDS | _ORGANISATION_KINDS
        address = facts.addresses[0] if facts.addresses else ""
        has_name = is_person and bool(facts.names or address)
        return ParsedEntry(
            kind=EntryKind.CONTACT,
            title=self._title(facts),
            blocks=self._blocks(facts),
            fragment=self._one("UID") or self._hash[:32],
            content_hash=self._hash,
            updated_at=read_instant(self._one("REV"), self._about.zone),
            people=(PersonRef(facts.names[0] if facts.names else "", address, role="self"),) if has_name else (),
            contact=facts if self._kind not in _GROUP_KINDS else None,
            metadata=self._metadata(),
        )

    def _one(self, name: str, limit: int = 300) -> str:
        found = (one_line(one.text, limit) for one in self._by_name.get(name, ()))
        return next((text for text in found if text), "")

    def _first_parts(self, name: str) -> list[str]:
        return next((one.parts() for one in self._by_name.get(name, ())), [])

    def _title(self, facts: ContactFacts) -> str:
        ways = (*facts.names[:1], facts.organisation, *facts.addresses[:1], *facts.phones[:1])
        return next((one_line(way) for way in ways if way), one_line(self._about.stem))

    def _blocks(self, facts: ContactFacts) -> tuple[Block, ...]:
        """What can be searched: who it is, how they are reached, and the note; with labels in the name's language."""
        writer = BlockWriter(self._about.limits.text_chars)
        title = self._title(facts)
        phone, mail, account, place, birthday, organisation, role = _CHINESE if is_cjk(title) else _ENGLISH
        others = [name for name in facts.names if name != title]
        lines = [f"{title} ({', '.join(others)})" if others else title]
        lines += [f"{role}: {facts.role}"] if facts.role else []
        lines += [f"{organisation}: {facts.organisation}"] if facts.organisation not in {"", title} else []
        lines += [f"{phone}: {text}{self._label(of)}" for text, of in self._phones]
        lines += [f"{mail}: {text}{self._label(of)}" for text, of in self._addresses]
        lines += [f"{account}: {text}" for text in facts.accounts]
        lines += [f"{place}: {text}{self._label(of)}" for text, of in places_of(self._all)]
        lines += [f"{birthday}: {facts.birthday}"] if facts.birthday else []
        writer.add(BlockKind.PARAGRAPH, "\n".join(lines))
        for note in self._by_name.get("NOTE", ()):
            for _, found in paragraphs(note.text):
                writer.add(BlockKind.PARAGRAPH, "\n".join(found))
        return writer.blocks

    def _label(self, of: Property) -> str:
        """What a number or an address is for, as the card says it."""
        kinds = [kind for kind in of.kinds if kind not in {"internet", "pref", "voice", "other"}]
        label = self._labels.get(of.group, "") or one_line(", ".join(kinds), 60).lower()
        return f" ({label})" if label else ""

    def _metadata(self) -> MappingProxyType[str, str]:
        categories = [part for one in self._by_name.get("CATEGORIES", ()) for part in one.parts(",")]
        found = {"uid": self._one("UID", 500), "url": self._one("URL", 500), "card_kind": self._kind}
        found["categories"] = one_line(", ".join(filter(None, categories)), 500)
        return MappingProxyType({key: value for key, value in found.items() if value})

    def _hash_of_all(self) -> str:
        lines = sorted(
            f"{one.group}.{one.name};{sorted(one.parameters.items())}:{' '.join(one.value.split())}"
            for one in self._all
            if one.name not in _VOLATILE
        )
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _with_own_fragments(entries: list[ParsedEntry]) -> tuple[ParsedEntry, ...]:
    """Cards that share a name get one of their own; a card that stands twice is there once."""
    unique: dict[str, ParsedEntry] = {}
    for entry in entries:
        name = entry.fragment
        if name in unique and unique[name].content_hash == entry.content_hash:
            continue
        if name in unique:
            name = f"{name}#{entry.content_hash[:12]}"
        unique[name] = entry if name == entry.fragment else replace(entry, fragment=name)
    return tuple(unique.values())
