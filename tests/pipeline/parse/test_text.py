"""The text of a page: what a reader would see, one space between two words."""

import pytest

from tests.pipeline.parse.parse_pages import read


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>One<p>two<br>three", "One two three"),
        ("un<b>brok</b>en", "unbroken"),
        (" a \n\t b&nbsp; c&#32;&#10;d\u00a0e ", "a b c d e"),
        ("<title>no</title><script>no</script><style>no</style>yes", "yes"),
        ("<template>no</template><noscript>yes</noscript>", "yes"),
        ("<iframe>no</iframe><noframes>no</noframes><textarea>a&amp;b</textarea>", "a&b"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a b c"),
        ("<select><option>a<option>b</select>", "a b"),
        ("<svg><title>Home</title><style>no</style></svg>", "Home"),
        ("<svg><![CDATA[a<b]]></svg><![CDATA[no]]>", "a<b"),
        (
            "&lt;&notin;&notit;&copy;&copy &#x80;&#xD800;&#0;&bogus;&",
            "<∉¬it;©© €\ufffd\ufffd&bogus;&",
        ),
        ("&nGt;&nGt;&nGt;", "≫⃒≫⃒≫⃒"),
        ("a\0b", "ab"),
        ("1 < 2 <3 </ x", "1 < 2 <3"),
        ("é 日本 😀", "é 日本 😀"),
        ("<xmp><b>a&amp;</b></xmp>", "<b>a&amp;</b>"),
        ("a<plaintext></plaintext><b>", "a </plaintext><b>"),
        ("<frameset>no<frame src=x>no</frameset>no", ""),
        ("<!-- no --!>yes<!--> a<!---> b", "yes a b"),
        ("<script><!-- <script> </script> no --></script>yes", "yes"),
    ],
)
def test_text(markup: str, text: str) -> None:
    assert read(markup).text == text


def test_xhtml() -> None:
    body = "<html><title/><p>a<![CDATA[ <b> ]]></p><a id='x'/>c</html>"
    assert read(body, "application/xhtml+xml").text == "a <b> c"


def test_bytes_that_are_no_text_are_replaced_when_they_are_decoded() -> None:
    assert read(b"a\xffb \xc2").text == "a\ufffdb \ufffd"
