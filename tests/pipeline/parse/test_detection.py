"""Texts whose encoding nobody declares: they are read right, and are not taken for others'."""

import pytest

from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from tests.pipeline.parse.parse_pages import read

TEXTS = {
    "japanese": "朝の市場には、近くの村から届いた野菜と魚が並んでいます。値段を聞いて、トマトを買いました。",
    "korean": "아침 시장에는 가까운 마을에서 온 채소와 생선이 있습니다. 값을 묻고 토마토를 샀습니다.",
    "chinese": "早上的市场里有从附近村子运来的蔬菜和鱼。我问了价钱以后，买了三个西红柿。",
    "taiwanese": "早上的市場裡有從附近村子運來的蔬菜和魚。我問了價錢以後，買了三個番茄。",
    "russian": "Утром на рынке лежат овощи и рыба из ближних деревень. Я спросил цену.",
    "ukrainian": "Вранці на ринку лежать овочі й риба з ближніх сіл. Я запитав її ціну.",
    "french": "Le marché du matin reçoit des légumes et du poisson ; à midi, tout est déjà parti.",
    "german": "Auf dem Markt gibt es früh Gemüse und Fisch. Für drei Äpfel zahle ich zwei Münzen.",
    "italian": "Al mercato c'è già il pesce; più tardi non ce n'è più, perché la città mangia presto.",
    "lithuanian": "Rytą turguje guli daržovės ir žuvys iš artimų kaimų. Pirkau „tris“ obuolius.",
    "english": "In the morning there are vegetables and fish on the market. I asked for the price.",
}
CASES = [
    ("japanese", "euc-jp"),
    ("japanese", "shift_jis"),
    ("japanese", "iso-2022-jp"),
    ("korean", "euc-kr"),
    ("chinese", "gb18030"),
    ("taiwanese", "big5"),
    ("russian", "windows-1251"),
    ("russian", "koi8-r"),
    ("ukrainian", "koi8-u"),
    ("french", "windows-1252"),
    ("german", "windows-1252"),
    ("italian", "windows-1252"),
    ("lithuanian", "windows-1257"),
    ("english", "windows-1252"),
    *((language, "utf-8") for language in TEXTS if language != "english"),
]
MARKUP = (
    "<div class='item'><a href='/path/%d.html'>Home</a><script>var number = %d;</script></div>\n"
)
FILL = "".join(MARKUP % (number, number) for number in range(400))
"""More bytes than the detector looks at."""
FRAMES = {
    "bare": "%s",
    "short": "<!DOCTYPE html><html><head><title>x</title></head><body><p>%s</p></body></html>",
    "title only": f"<html><head><title>%s</title></head><body>{FILL[:4000]}</body></html>",
    "much markup": f"<html><body>{FILL[:12_000]}<p>%s</p>{FILL[:12_000]}",
    "late": f"<html><body>{FILL}<p>%s</p>",
    "long": f"<html><body>{'<p>%s</p>' * 9}",
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_undeclared(language: str, encoding: str, frame: str) -> None:
    page = frame.replace("%s", TEXTS[language])
    body = page.encode(encoding)
    assert sniff_encoding(body) == encoding
    assert to_utf8(body, encoding) == page.encode()


@pytest.mark.parametrize("encoding", ["euc-jp", "euc-kr", "iso-2022-jp"])
@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "text/markdown"])
def test_every_reader_detects(encoding: str, content_type: str) -> None:
    text = TEXTS["korean" if encoding == "euc-kr" else "japanese"]
    document = read(text.encode(encoding), content_type)
    assert (document.charset, document.text) == (encoding, text)


@pytest.mark.parametrize(
    "body",
    [
        b"\x1b[1mbold\x1b(B\x1b[m and \x1b[31mred\x1b(B\x1b[m",  # a terminal's
        b"\x1b$B",
        b"\x1b$Bodd\x1b(B",
        b"cost: \x1b$5",
        b"\x1b$)C\x0e!!\x0f",  # ISO-2022-KR, which browsers do not read
    ],
)
def test_escapes_that_are_not_japanese(body: bytes) -> None:
    assert sniff_encoding(body) == "windows-1252"


def test_a_broken_letter_does_not_make_it_another_encoding() -> None:
    body = (TEXTS["french"] * 9 + TEXTS["russian"]).encode()
    assert sniff_encoding(body + b"\xe2\x80 cut \xff") == "utf-8"
    assert sniff_encoding("é".encode() + b"\xe9.") == "windows-1252"
