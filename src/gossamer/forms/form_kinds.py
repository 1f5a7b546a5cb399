"""Kinds of forms and of their fields, by the names that commands and tables print."""

FORM_KINDS = {
    "search": "Finds pages by words that are typed in.",
    "structured search": "Finds records by several values: filters, choices, ranges.",
    "login": "Asks for the password of an account.",
    "registration": "Makes an account.",
    "recovery": "Brings a lost password or account back.",
    "mailing list": "Subscribes to letters or notices.",
    "contact or comment": "Sends a message, a comment or a review.",
    "order or basket": "Orders a product or puts it into a basket.",
    "payment": "Takes a payment or a donation.",
    "poll": "Takes a vote.",
    "display options": "Changes how the page is shown: order, length, language, currency.",
    "navigation": "Leads to another page that is chosen from a list.",
    "other": "None of these.",
}
"""Every kind, and what such a form does."""

SEARCHES = ("search", "structured search")
"""Kinds that may be submitted, as far as the other rules allow it."""

MODEL_FIELD_KINDS = {
    "us": "username",
    "p1": "password",
    "p2": "password confirmation",
    "e1": "email",
    "e2": "email confirmation",
    "ue": "username or email",
    "ca": "captcha",
    "hp": "honeypot",
    "tC": "terms",
    "eC": "receive email",
    "rC": "remember me",
    "Bs": "submit button",
    "Bc": "cancel button",
    "Br": "reset button",
    "n1": "first name",
    "n3": "last name",
    "n2": "middle name",
    "nf": "full name",
    "no": "organization",
    "ge": "gender",
    "tz": "time zone",
    "ds": "daylight saving",
    "Co": "country",
    "Ci": "city",
    "St": "state",
    "Ad": "address",
    "Zi": "postal code",
    "ph": "phone",
    "fa": "fax",
    "ws": "url",
    "oi": "openid",
    "am": "about me",
    "CC": "comment",
    "CT": "subject",
    "sq": "security question",
    "sa": "security answer",
    "qq": "search query",
    "qc": "search category",
    "qt": "quantity",
    "st": "style",
    "sp": "sort order",
    "ON": "number",
    "OD": "date",
    "Od": "day",
    "Om": "month",
    "Oy": "year",
    "OR": "read-only",
    "OO": "other",
}
"""Kinds of fields by the short names that labelled pages have (as Formasaurus has them)."""

MODEL_FORM_KINDS = {
    "s": "search",
    "l": "login",
    "r": "registration",
    "p": "recovery",
    "c": "contact or comment",
    "m": "mailing list",
    "b": "order or basket",
    "o": "other",
    "P": "other",
    "V": "other",
    "N": "other",
    "C": "other",
}
"""Kinds of forms by the same short names."""
SAME_FIELD_KINDS = {
    "ns": "nf",
    "ch": "nf",
    "bd": "Od",
    "bm": "Om",
    "by": "Oy",
    "bD": "OD",
    "cm": "Om",
    "cy": "Oy",
    "P0": "ph",
    "P1": "ph",
    "P2": "ph",
    "P3": "ph",
    **dict.fromkeys(("Sa", "Sn", "S#", "A#", "A1", "A2", "PO", "cA"), "Ad"),
    **dict.fromkeys(
        ("in", "pi", "aC", "av", "c#", "cs", "nv", "OT", "oC", "OS", "OM", "Bo", "OU"), "OO"
    ),
}
"""Short names that the model does not tell apart, and the one that stands for them."""
