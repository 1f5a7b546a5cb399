"""The head of a response: status and header fields, however badly written."""

from gossamer.core.records import Headers


def parse_status(line: bytes) -> int:
    """The status code of a status line; 0 when there is none.

    >>> parse_status(b"HTTP/1.1 404 Not Found")
    404
    >>> parse_status(b"HTTP/1.1 banana")
    0
    """
    parts = line.split(None, 2)
    if len(parts) < 2 or len(parts[1]) != 3 or not parts[1].isdigit():
        return 0
    status = int(parts[1])
    return status if status >= 100 else 0


def parse_fields(lines: list[bytes]) -> Headers:
    """Header fields, given the lines after the status line; folded lines are joined.

    Bytes are read as Latin-1, as RFC 9110 has it for what is not ASCII.
    """
    fields: list[tuple[str, str]] = []
    folded: list[str] = []
    for line in lines:
        text = line.decode("latin-1")
        name, colon, value = text.partition(":")
        if text[:1] in " \t" and fields:
            folded.append(text.strip())
        elif colon:
            if folded:
                _unfold(fields, folded)
            fields.append((name.strip(), value.strip()))
    if folded:
        _unfold(fields, folded)
    return Headers(fields)


def _unfold(fields: list[tuple[str, str]], folded: list[str]) -> None:
    """Join the lines that follow the last field, all at once: there may be very many."""
    name, value = fields[-1]
    fields[-1] = (name, " ".join(filter(None, (value, *folded))))
    folded.clear()
