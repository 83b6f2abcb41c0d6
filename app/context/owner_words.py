"""English words that do not tell whose, or of what, something is asked (`owners`)."""

from __future__ import annotations

NOT_NAMES = frozenset({
    "i", "i'm", "i've", "mr", "mrs", "ms", "dr", "miss", "prof", "sir", "st", "monday", "tuesday", "wednesday",
    "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december", "christmas", "easter", "english", "chinese", "german",
    "french", "japanese", "wifi", "wi-fi", "wlan", "pin", "tv", "pc", "usb", "iban", "url", "id", "who", "what",
    "when", "where", "which", "how", "why", "did", "does", "the", "grandma", "grandpa", "mum", "mom", "dad", "granny",
    "uncle", "aunt", "auntie", "ok",
})  # fmt: skip
"""Words with a capital letter that name nobody, or for which there are other ones."""
ASKING_WORDS = frozenset({
    "want", "wants", "wanted", "like", "need", "needs", "use",
    "much", "many", "long", "often", "amount", "last", "next", "now", "currently", "go", "get", "got", "take", "make",
    "give", "tell", "know", "us", "happened", "happen", "say", "said", "exact", "exactly", "full", "total", "called",
})  # fmt: skip
"""Words of a question that its answer does not say."""
CUT = frozenset({
    "go", "goes", "went", "have", "happened", "taken", "want", "wants", "did", "join", "joined",
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
    "cost", "costs", "start", "starts", "end", "ends", "begin", "begins", "take", "place", "live", "lives", "work",
    "works", "expire", "expires", "due", "called", "named", "weigh", "weighs", "going", "get", "gets", "come",
    "comes", "happen", "today", "tomorrow", "yesterday", "now", "currently", "again", "per", "last", "next", "year",
    "month", "week", "day", "since", "without", "within", "between", "across", "via", "onto", "like", "please",
    "much", "many", "charge", "pay",
})  # fmt: skip
"""Words at which what is named ends."""
EMPTY = frozenset({
    "patient", "user", "customer", "author", "speaker", "terms", "times", "photo", "picture", "life",
    "new", "old", "current", "own", "whole", "first", "second", "other", "another", "one", "ones", "thing", "things",
    "day", "days", "week", "month", "year", "time", "people", "person", "kind", "sort", "type", "use", "rest", "lot",
    "name", "number", "date", "part", "end", "beginning", "course", "home", "house", "family",
})  # fmt: skip
"""Words that tell nothing from another."""
NO_OWNER_BEFORE = frozenset({
    "one", "any", "all", "some", "each", "none", "both", "two", "three", "few", "half", "many", "much",
    "think", "kind", "sort", "type", "out", "because", "instead", "lot", "lots", "plenty", "most",
})  # fmt: skip
NO_OWNER = frozenset({
    "it's", "that's", "what's", "who's", "when's", "where's", "how's", "there's", "let's", "he's", "she's",
})  # fmt: skip
