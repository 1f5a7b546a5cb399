"""A small writer of PDF files: pages of text, with links over some of it."""

from collections.abc import Sequence

Link = tuple[str, tuple[int, int, int, int]]
"""A URI, and the rectangle it lies over: left, bottom, right, top."""
FIRST_LINE = (72, 715, 540, 735)
"""Where the first line of a page is."""


def write_pdf(
    pages: Sequence[str], links: Sequence[Link] = (), title: str = "", extra: bytes = b""
) -> bytes:
    """A PDF with one line of Helvetica per line of text; the links are on the first page."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"", _info(title)]
    font = len(objects) + 1
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    annotations = []
    for uri, place in links:
        objects.append(_annotation(uri, place))
        annotations.append(len(objects))
    kids = []
    for number, text in enumerate(pages):
        content = _content(text)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        marks = b" ".join(b"%d 0 R" % one for one in annotations) if number == 0 else b""
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots [%s] "
            b"/Resources << /Font << /F1 %d 0 R >> >> /Contents %d 0 R >>"
            % (marks, font, len(objects))
        )
        kids.append(len(objects))
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (listed, len(kids))
    objects[2] = b"<< /Nothing true >>"
    return _assemble(objects, extra)


def _assemble(objects: list[bytes], extra: bytes) -> bytes:
    parts, places, length = [b"%PDF-1.4\n"], [], 9
    for number, content in enumerate(objects, 1):
        places.append(length)
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, content))
        length += len(parts[-1])
    parts.append(extra)
    length += len(extra)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table))
    parts.append(b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\n" % count)
    parts.append(b"startxref\n%d\n%%%%EOF\n" % length)
    return b"".join(parts)


def _content(text: str) -> bytes:
    lines = b" ".join(b"(%s) Tj T*" % _escape(line) for line in text.split("\n"))
    return b"BT /F1 12 Tf 14 TL 72 720 Td %s ET" % lines


def _annotation(uri: str, place: tuple[int, int, int, int]) -> bytes:
    return b"<< /Type /Annot /Subtype /Link /Rect [%d %d %d %d] /A << /S /URI /URI (%s) >> >>" % (
        *place,
        _escape(uri),
    )


def _info(title: str) -> bytes:
    return b"<< /Title (%s) /Producer (a test) >>" % _escape(title)


def _escape(text: str) -> bytes:
    raw = text.encode("latin-1", "replace")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
