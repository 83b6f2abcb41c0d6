"""The English vocabulary of time: each word with its category in the grammar and its value. Words only, no rules."""

from __future__ import annotations

from typing import Final

from app.domain.readings import Grain

WEEKDAYS: Final = {
    "monday": 0, "mon": 0, "tuesday": 1, "tue": 1, "tues": 1, "wednesday": 2, "wed": 2, "weds": 2, "wednes": 2,
    "thursday": 3, "thu": 3, "thur": 3, "thurs": 3, "friday": 4, "fri": 4, "saturday": 5, "sat": 5, "sunday": 6,
    "sun": 6,
}  # fmt: skip
WEEKDAY_PLURALS: Final = {
    "mondays": 0, "tuesdays": 1, "wednesdays": 2, "thursdays": 3, "fridays": 4, "saturdays": 5, "sundays": 6,
}  # fmt: skip
MONTHS: Final = {
    "january": 1, "jan": 1, "february": 2, "feb": 2, "febr": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5,
    "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sept": 9, "sep": 9,
    "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "dec": 12,
}  # fmt: skip
_SHORT = 5
SHORT_NAMES: Final = frozenset(
    name
    for name in (*WEEKDAYS, *MONTHS)
    if len(name) <= _SHORT and name not in {"march", "april", "may", "june", "july"}
)
"""Names that may carry a full stop of their own."""

SEASONS: Final = {"spring": 0, "summer": 1, "fall": 2, "autumn": 2, "winter": 3}

UNITS: Final = {
    Grain.SECOND: "second seconds sec secs",
    Grain.MINUTE: "minute minutes min mins",
    Grain.HOUR: "hour hours hr hrs",
    Grain.DAY: "day days",
    Grain.WEEK: "week weeks wk wks",
    Grain.WEEKEND: "weekend weekends",
    Grain.MONTH: "month months mth mths mos",
    Grain.QUARTER: "quarter quarters qtr qtrs",
    Grain.HALF_YEAR: "semester semesters",
    Grain.SEASON: "season seasons",
    Grain.YEAR: "year years yr yrs",
    Grain.DECADE: "decade decades",
    Grain.CENTURY: "century centuries",
}
LETTER_UNITS: Final = {
    "s": Grain.SECOND,
    "m": Grain.MINUTE,
    "h": Grain.HOUR,
    "d": Grain.DAY,
    "w": Grain.WEEK,
    "y": Grain.YEAR,
}
"""Units that only stand right behind a number: 3h, 2y."""

SHIFTS: Final = {
    word: word
    for word in [
        "this",
        "current",
        "present",
        "next",
        "following",
        "upcoming",
        "coming",
        "last",
        "past",
        "previous",
        "preceding",
        "recent",
        "prior",
    ]
}

NAMED_DAYS: Final = {
    "today": 0, "tomorrow": 1, "tomorrows": 1, "tmr": 1, "tmrw": 1, "tmw": 1, "tomo": 1, "tommorow": 1, "tommorrow": 1,
    "tomorow": 1, "2moro": 1, "yesterday": -1, "yesterdays": -1, "ystd": -1,
}  # fmt: skip

PARTS: Final = {
    "morning": "morning mornings morn",
    "noon": "lunchtime lunch-time lunchtimes",
    "afternoon": "afternoon afternoons afternoonish arvo",
    "evening": "evening evenings eve eveningish dinnertime",
    "night": "night nights nite",
    "daytime": "daytime",
    "nighttime": "nighttime",
    "dawn": "dawn sunrise daybreak",
    "dusk": "dusk sunset nightfall",
}
MEALS: Final = {"breakfast": "breakfast", "brunch": "brunch", "lunch": "noon", "dinner": "evening", "supper": "evening",
                "dinnertime": "evening", "work": "workday", "school": "schoolday"}  # fmt: skip

CARDINALS: Final = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
ORDINALS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40,
    "fiftieth": 50, "hundredth": 100,
}  # fmt: skip
DECADE_NAMES: Final = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
    "nineties": 90,
}  # fmt: skip

ZONES: Final = {
    "utc": 0, "gmt": 0, "z": 0, "wet": 0, "bst": 60, "west": 60, "cet": 60, "cest": 120, "eet": 120, "eest": 180,
    "msk": 180, "ist": 330, "ict": 420, "hkt": 480, "sgt": 480, "awst": 480, "jst": 540, "kst": 540, "aest": 600,
    "aedt": 660, "nzst": 720, "nzdt": 780, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420,
    "mdt": -360, "pst": -480, "pdt": -420, "akst": -540, "hst": -600, "ast": -240, "brt": -180,
}  # fmt: skip
"""Minutes east of Greenwich of the usual abbreviations; the American reading of CST and BST as British summer time."""

PLACE_ZONES: Final = {
    "et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles",
    "eastern": "America/New_York", "central": "America/Chicago", "mountain": "America/Denver",
    "pacific": "America/Los_Angeles",
}  # fmt: skip
CITY_ZONES: Final = {
    "london": "Europe/London", "paris": "Europe/Paris", "berlin": "Europe/Berlin",
    "moscow": "Europe/Moscow", "beijing": "Asia/Shanghai", "china": "Asia/Shanghai", "shanghai": "Asia/Shanghai",
    "hongkong": "Asia/Hong_Kong", "tokyo": "Asia/Tokyo", "singapore": "Asia/Singapore", "sydney": "Australia/Sydney",
    "montreal": "America/Toronto", "toronto": "America/Toronto", "delhi": "Asia/Kolkata", "india": "Asia/Kolkata",
}  # fmt: skip

AMBIGUOUS_ALONE: Final = frozenset({"may", "march", "mar", "apr", "sat", "sun", "wed", "fall", "spring", "second",
                                    "sec"})  # fmt: skip
"""Words that are often no time at all: alone they need a capital letter or a preposition before them."""

TELLING_WORDS: Final = frozenset(
    [
        "now",
        "noon",
        "midday",
        "midnight",
        "moment",
        "time",
        "asap",
        "immediately",
        "atm",
        "eod",
        "cob",
        "eob",
        "eom",
        "eoy",
        "eow",
        "eoq",
        "bom",
        "boy",
        "ytd",
        "mtd",
        "tonight",
        "tonite",
        "2nite",
        "overnight",
        "daily",
        "everyday",
        "nightly",
        "weekly",
        "biweekly",
        "fortnightly",
        "monthly",
        "bimonthly",
        "quarterly",
        "annually",
        "semiannually",
        "biannually",
        "yearly",
        "hourly",
        "fortnight",
        "fortnights",
        "weekday",
        "weekdays",
        "workday",
        "workdays",
        "business",
        "midweek",
        "ides",
        "overmorrow",
        "o'clock",
        "oclock",
        "date",
        "lunch",
        "dinner",
        "breakfast",
        "brunch",
        "supper",
        "sy",
        "fy",
        "possible",
        "mornings",
        "wkend",
        "oclock",
        "ish",
        "early",
        "late",
        "mid",
    ]
)
"""Words of the productions that tell of a time by themselves; near neither such a word nor a name or figure of time
nothing is looked for."""

AFTER_AN_HOUR: Final = frozenset(
    [
        "am",
        "pm",
        "a",
        "p",
        "and",
        "or",
        "to",
        "till",
        "until",
        "til",
        "through",
        "thru",
        "for",
        "with",
        "on",
        "in",
        "at",
        "of",
        "the",
        "this",
        "next",
        "today",
        "tomorrow",
        "tonight",
        "please",
        "if",
        "because",
        "so",
        "but",
        "then",
        "sharp",
        "est",
        "pst",
        "edt",
        "pdt",
        "cst",
        "gmt",
        "utc",
        "et",
        "pt",
        "ct",
        "mt",
        "cet",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "tmr",
        "he",
        "she",
        "we",
        "they",
        "i",
        "you",
        "it",
        "is",
        "will",
        "works",
        "each",
        "every",
        "o",
        "eastern",
        "pacific",
        "central",
        "mountain",
        "local",
        "time",
        "from",
        "by",
        "before",
        "after",
        "last",
        "yesterday",
        "onwards",
        "onward",
        "night",
        "sharp",
        "ish",
        "during",
        "works",
        "work",
        "is",
        "are",
        "be",
        "has",
        "does",
        "morning",
        "afternoon",
        "evening",
        "weekdays",
        "weekends",
        "daily",
        "please",
        "thanks",
        "maybe",
        "again",
        "instead",
    ]
)
"""Words that may follow a bare hour; before any other word a number counts something ("5 people")."""

TO: Final = "to|-|~|until|till|til|through|thru|upto"
"""What stands between the two ends of a range."""
