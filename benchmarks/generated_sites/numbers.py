"""Numbers that stand in URLs."""


def number_of(digits: str) -> int:
    """The number that somebody wrote; -1 when it is none, or spelled in an odd way.

    >>> number_of("12"), number_of("-3"), number_of("012"), number_of("")
    (12, -1, -1, -1)
    """
    is_number = digits.isascii() and digits.isdecimal() and len(digits) < 9
    return int(digits) if is_number and str(int(digits)) == digits else -1
