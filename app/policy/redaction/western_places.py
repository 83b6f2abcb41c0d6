"""Addresses in Western forms, countries and cities, postal codes (L5.3).

Three ways lead to an address: its own form (a street word and a number, a post box, a flat), a word that announces it
("lives at"), and its place on a letter, see `letters`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Finding, Kind
from app.policy.redaction.phrases import lower
from app.policy.redaction.rules import apply, rule
from app.policy.redaction.western_lists import western_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

_L = "A-Za-z\u00c0-\u024f\u1e00-\u1eff\u0370-\u03ff\u0400-\u04ff"
_STREET_END = (
    r"(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|circle|cir|place|pl|square|sq"
    r"|terrace|ter|trail|trl|parkway|pkwy|highway|hwy|way|close|crescent|cres|mews|row|gardens|gdns|hill|alley"
    r"|plaza|walk|grove|loop|crossing|crossroad|heights|ridge|turnpike|expressway)"
)
_STREET_START = (
    r"(?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse|allée|quai|via|viale|piazza|piazzetta|corso|vicolo"
    r"|calle|c/|avenida|avda\.?|paseo|plaza|carrer|rua|travessa|praça|largo|estrada|ul\.|ulica|aleja|al\.|os\."
    r"|plac|nám\.|náměstí|třída|ulice|str\.|strada|bulevardul|calea)"
)
_STREET_TAILS = (
    "straße",
    "strasse",
    "str.",
    "gasse",
    "weg",
    "platz",
    "allee",
    "ring",
    "damm",
    "ufer",
    "markt",
    "steig",
    "chaussee",
    "brücke",
    "vej",
    "gade",
    "gata",
    "gatan",
    "vägen",
    "väg",
    "veien",
    "vei",
    "gaten",
    "plads",
    "torv",
    "katu",
    "tie",
    "kuja",
    "polku",
    "straat",
    "laan",
    "plein",
    "gracht",
    "kade",
    "dreef",
    "steenweg",
    "utca",
    "u.",
    "út",
    "tér",
    "rkp.",
    "körút",
    "fasor",
    "sétány",
    "tanav",
    "iela",
    "gatvė",
    "stræti",
    "stígur",
    "braut",
)
# Between a house number and a street's last word no such word stands: "9 on the way" is no address.
_NO_STREET = (
    r"(?:the|a|an|in|on|at|from|of|and|or|to|for|by|with|is|was|are|were|my|his|her|our|your|their|this|that|it|its|we|i|you"
    r"|people|minutes?|hours?|days?|miles?|km|am|pm|times?|items?|percent)\b"
)
_STREET_WORDS = rf"(?:(?!{_NO_STREET})[{_L}][{_L}'.\-]{{0,24}} ){{1,4}}"
_UNIT = (
    r"(?:suite|ste\.?|apt\.?|apartment|unit|flat|floor|room|rm\.?|bldg\.?|building|box|p\.? ?o\.? ?box|psc"
    r"|cmr) ?#? ?[a-z]?\d{1,6}[a-z]?\b"
)
_NUMBER = r"\d{1,6}[a-zA-Z]?(?:[-/]\d{1,4})?"

_RULES = (
    rule(
        Kind.ADDRESS,
        rf"(?<![\d.,$€£])(?:\d{{1,6}} )?{_NUMBER} (?:[nsew]\.? )?{_STREET_WORDS}{_STREET_END}\b\.?(?: (?:[nsew]|north"
        rf"|south|east|west)\b\.?)?(?:,? {_UNIT})?",
        weight=0.7,
    ),
    rule(
        Kind.ADDRESS,
        rf"(?<![\d.,$€£{_L}])(?:\d{{1,6}} )?(?:{_NUMBER},? )?{_STREET_START} (?:[{_L}'.\-]{{1,24}}"
        rf" ){{0,4}}[{_L}'.\-]{{2,24}},? (?:n[º°] ?)?{_NUMBER}(?![\d.])",
        weight=0.7,
    ),
    rule(
        Kind.ADDRESS,
        rf"(?<![\d.,$€£{_L}])(?:\d{{1,6}} )?{_NUMBER},? {_STREET_START} (?:(?:de|du|des|la|le|les|l'|d'|al|el"
        rf"|della|delle|dei|di|do|da|dos)? ?[{_L}'\-]{{2,24}} ?){{1,4}}",
        weight=0.6,
    ),
    rule(
        Kind.ADDRESS,
        rf"(?<![{_L}\d]){_UNIT}(?:[ ,]{{1,2}}{_UNIT})?(?:,?\s(?:apo|fpo|dpo) (?:aa|ae|ap) \d{{5}})?",
        weight=0.5,
    ),
    rule(Kind.ADDRESS, r"(?:apo|fpo|dpo),? (?:aa|ae|ap) \d{5}", weight=0.6),
    rule(
        Kind.ADDRESS,
        rf"(?:the )?(?:corner|intersection) of [{_L}0-9'.\- ]{{2,60}}? (?:and"
        rf"|&) (?:[{_L}0-9'.\-]{{2,24}}(?: (?!st\.)|(?=[.,!?\n]|\Z))){{1,4}}",
        weight=0.6,
    ),
    rule(
        Kind.POSTCODE,
        r"(?:zip(?: ?code)?|postal ?code|post ?code|postcode|plz|code postal|cap|郵便番号)(?: is|:"
        r"|=)? {0,2}(?P<v>(?=[a-z]{0,2}\d)[a-z0-9]{3,5}(?:[ -][a-z0-9]{3,4})?)(?![a-z0-9])",
        weight=0.7,
    ),
    rule(
        Kind.POSTCODE,
        r"(?<![A-Z0-9a-z])[A-Z]{1,2}\d[A-Z0-9]? \d[A-BD-HJLNP-UW-Z]{2}(?![A-Z0-9a-z])"
        r"|(?<![A-Z0-9a-z])[A-CEGHJ-NPR-TVXY]\d[A-Z] \d[A-Z]\d(?![A-Z0-9a-z])|〒 ?\d{3}-\d{4}",
        is_exact=True,
    ),
    rule(
        Kind.POSTCODE,
        r",? (?:A[LKZR]|C[AOT]|DE|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]"
        r"|UT|V[TA]|W[AVIY]|DC) (?P<v>\d{5}(?:-\d{4})?)(?!\d)",
        is_exact=True,
    ),
)
_STREET_NUMBER = re.compile(rf"(?<=[ ,]){_NUMBER}\.?(?![\d])(?:,? {_UNIT})?", re.IGNORECASE)
_BEFORE_NUMBER = re.compile(rf"(?:(?<![\d.])\d{{1,6}} )?(?:[{_L}][{_L}'.\-]{{0,24}} ){{0,3}}[{_L}'.\-]{{1,40}},? \Z")
_BEFORE_WIDTH = 64
_ANNOUNCED = re.compile(
    r"(?<!ip )(?<!mail )(?<!mac )(?<!web )(?<!v6 )(?<!v4 )(?<!url )\b(?:address(?: to| is|:| is:)"
    r"|address (?:[a-z]{1,12} ){1,7}to|(?:lives?|living|lived|reside[sd]?|residing|located|staying|stays"
    r"|office is|store is|shop is|restaurant is|house is|home is|clinic is|hotel is|meet (?:you|me|us|him"
    r"|her|them)|moved|enter|party is) (?:at|on)|(?:return(?: it)?|ship(?:ped)?(?: it)?|sen[dt](?: it)?"
    r"|deliver(?:ed|y)?(?: it)?|mail(?:ed)?(?: it)?|moved|drive|come|bring it) to|validate the following\?"
    r"|home address|mailing address|billing address|shipping address)"
    r"[ :]{1,2}(?P<v>[^.!?\n]{0,60}(?:\.(?=[ ,]?[a-z0-9]|\d| \d| [A-Z][a-z]{0,8}\b)[^.!?\n]{0,40}"
    r"|\n ?[^\n.!?]{1,40}){0,4}\.?)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r" (?:after|before|in case|until|because|so that|when|while|which|who|for|the first|st\. the|instead"
    r"|please|asap|tomorrow|today|tonight|at \d{1,2}(?::\d\d|[ap ]m?))\b|;|\?|\n\n|\n(?=[A-Za-z ]{2,16}:)",
    re.IGNORECASE,
)
_HAS_NUMBER = re.compile(r"\d")
_IS_A_TIME = re.compile(
    r"(?:(?:about|around|by|noon|midnight) )?\d{1,2}(?::\d\d|\.\d\d)? ?(?:[ap]\.?m|o'clock"
    r"|hours)?\b(?! [A-Z])|\d{1,3}(?:%| percent| degrees| people| items| miles| km)|\+?\d[\d\-() ]{6,}\Z"
    r"|[$€£]|https?:|\S{1,60}@",
    re.IGNORECASE,
)
_LANGUAGE_BEFORE = re.compile(
    r"(?:\b(?:in|into|to|speak|speaks|speaking|learn|learning|say|translate|from|of|the|with|for|any|some"
    r"|good|best|order|eat|eating|like|love|study|studying|cook|make)) \Z",
    re.IGNORECASE,
)
_LANGUAGE_AFTER = re.compile(
    r" (?:language|food|cuisine|restaurant|restaurants|class|classes|lesson|lessons|word|words|phrase"
    r"|toast|fries|dressing|cheese|wine|beer|coffee|tea|press|bread|salad|shepherd|recipe|dish|keyboard"
    r"|grammar|version|subtitles|translation|for|speaking|teacher|exam|muffins?|dollars?|pounds?|pesos?"
    r"|yen|dish|dishes|cooking|accent|market|economy|government|history|culture|bulldog|idol|airlines"
    r"|express|dream|time)\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"\b(?:i am|i'm|im|he is|he's|she is|she's|we are|we're|they are|you are|born|is a|was a|am a"
    r"|ethnically|nationality(?: is|:)?|part|half|an?) \Z",
    re.IGNORECASE,
)
_PERSON_AFTER = re.compile(
    r" (?:man|woman|boy|girl|citizen|citizens|national|nationals|person|people|immigrant|immigrants"
    r"|refugee|refugees|descent|origin|heritage|border|passport|player|actor|singer|director|leader"
    r"|president|guy|lady|student|family|wife|husband|born|[a-z]+-[a-z]+ film)",
    re.IGNORECASE,
)


_THINGS_TOO = frozenset(
    {"turkey", "china", "jordan", "chad", "mali", "niger", "guinea", "cologne", "phoenix", "queens"}
)
_PEOPLE_TOO = frozenset({"jordan", "chad", "georgia", "charlotte", "kent", "columbus", "phoenix", "virginia", "lima"})


def find_western_addresses(text: str) -> Iterator[Finding]:
    """Addresses and postal codes."""
    yield from apply(_RULES, text)
    yield from _streets_by_their_ending(text)
    for found in _ANNOUNCED.finditer(text):
        value = found["v"]
        stop = _ENDS.search(value)
        value = value[: stop.start()] if stop else value
        value = value.rstrip(" ,")
        if _HAS_NUMBER.search(value) and _IS_A_TIME.match(value.strip()) is None and len(value.split()) > 1:
            start = found.start("v") + len(value) - len(value.lstrip())
            yield Finding(start, found.start("v") + len(value), Kind.ADDRESS, 0.6)


def _streets_by_their_ending(text: str) -> Iterator[Finding]:
    """Hauptstrasse 17, Kiannonkatu 98: the number comes last, and the word before it ends like a street."""
    for found in _STREET_NUMBER.finditer(text):
        before = text[max(0, found.start() - _BEFORE_WIDTH) : found.start()]
        words = before.rstrip(" ,").rsplit(maxsplit=1)
        word = words[-1].lower() if words else ""
        if not word.endswith(_STREET_TAILS):
            continue
        # Gate 12 and spring 2024 end like a street and are words
        is_long = len(word) > len("straat") or not word.isascii() or word.endswith(".")
        head = _BEFORE_NUMBER.search(before)
        if is_long and head is not None and not western_lists().is_word(word):
            yield Finding(found.start() - len(before) + head.start(), found.end(), Kind.ADDRESS, 0.7)


def find_western_places(text: str) -> Iterator[Finding]:
    """Countries, regions, cities, and peoples where they are said of somebody."""
    lowered = lower(text)
    is_lower = text == lowered
    for start, end, label in western_lists().places.find(lowered):
        is_capital = text[start].isupper()
        if label == "peoples":
            if _is_of_a_person(text, start, end, is_capital=is_capital):
                yield Finding(start, end, Kind.ETHNICITY, 0.4)
        elif (is_capital or label == "countries" or is_lower) and not _is_something_else(text[start:end]):
            yield Finding(start, end, Kind.PLACE, 0.4)


def _is_something_else(place: str) -> bool:
    """Jordan, Georgia, china, turkey: places that are as often people or things, and are left to a model of names."""
    word = place.lower()
    return word in _PEOPLE_TOO if place[0].isupper() else word in _THINGS_TOO


def _is_of_a_person(text: str, start: int, end: int, *, is_capital: bool) -> bool:
    before, after = text[max(0, start - 24) : start], text[end : end + 24]
    if _PERSONAL.search(before) and not _LANGUAGE_AFTER.match(after):
        return True
    if _PERSON_AFTER.match(after):
        return True
    return (
        is_capital
        and not (_LANGUAGE_BEFORE.search(before) or _LANGUAGE_AFTER.match(after))
        and after[:1] == " "
        and after[1:2].islower()
    )
