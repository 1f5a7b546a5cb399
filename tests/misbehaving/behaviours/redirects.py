"""Redirects that go round in circles, nowhere, or where nobody from outside may go.

Fetch makes one exchange and follows nothing, so its record is the redirect itself; `ring` says
what the crawl as a whole must record when it takes the next step.
"""

from gossamer.core.outcomes import Outcome, Refusal
from tests.misbehaving.behaviour import add_answer, answered, behaviour, failed
from tests.misbehaving.connection import Connection, Request

PRIVATE_NAME = "internal.test"
"""A name whose address the name server gives as private."""
REBINDING_NAME = "rebinding.test"
"""A name whose address is allowed the first time one asks, and private from then on."""


def redirect(
    name: str,
    description: str,
    location: str,
    ring: Outcome | Refusal | None,
    *,
    status: int = 302,
) -> None:
    """A redirect to a fixed place."""
    raw = f"HTTP/1.1 {status} Elsewhere\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
    expect = answered(status, location=location.strip(), ring=ring)
    add_answer(name, description, raw.encode(), expect)


# Circles
redirect("redirect_loop", "to itself", "/redirect_loop", Refusal.REDIRECT_LOOP, status=301)
redirect("redirect_ring", "to a page that leads back", "/redirect_back", Refusal.REDIRECT_LOOP)
redirect("redirect_back", "the other half of the ring", "/redirect_ring", Refusal.REDIRECT_LOOP)


@behaviour(
    "a new place each time, without end",
    answered(307, location="/redirect_endless/1", ring=Refusal.TOO_MANY_REDIRECTS),
)
def redirect_endless(connection: Connection, request: Request) -> None:
    step = int(request.steps[1]) if len(request.steps) > 1 else 0
    connection.answer(
        b"", f"Location: /redirect_endless/{step + 1}", status="307 Temporary Redirect"
    )


@behaviour("a chain of three that ends well", answered(308, location="/redirect_chain/1"))
def redirect_chain(connection: Connection, request: Request) -> None:
    step = int(request.steps[1]) if len(request.steps) > 1 else 0
    if step == 3:
        connection.answer(b"the end", "Content-Type: text/plain")
    else:
        connection.answer(
            b"", f"Location: /redirect_chain/{step + 1}", status="308 Permanent Redirect"
        )


# Nowhere
add_answer(
    "redirect_without_location",
    "a redirect that does not say where to",
    b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
    answered(302, location=""),
)
redirect("redirect_to_nothing", "an empty Location: the same page again", "", None)
redirect("redirect_to_bad_url", "to something that is not a URL", "http://[::1", Refusal.BAD_URL)
redirect(
    "redirect_to_bad_port", "to a port that cannot be", "http://a.test:99999/", Refusal.BAD_URL
)
redirect("redirect_to_file", "to a file of ours", "file:///etc/passwd", Refusal.SCHEME)
redirect("redirect_to_script", "to a script", "javascript:alert(1)", Refusal.SCHEME)
redirect("redirect_to_data", "to a data URL", "data:text/html,hello", Refusal.SCHEME)
redirect("redirect_to_gopher", "to gopher", "gopher://127.0.0.1:6379/_FLUSHALL", Refusal.SCHEME)
redirect("redirect_to_long_url", "to a URL of 20 KB", "/" + "a" * 20_000, Refusal.URL_TOO_LONG)
add_answer(
    "redirect_to_two_places",
    "two different Locations",
    b"HTTP/1.1 302 Found\r\nLocation: /ok/1\r\nLocation: /ok/2\r\nContent-Length: 0\r\n\r\n",
    failed(Outcome.BAD_RESPONSE),
)
add_answer(
    "redirect_with_body",
    "a redirect with a page of its own",
    b"HTTP/1.1 302 Found\r\nLocation: /ok/1\r\nContent-Length: 5\r\n\r\nhello",
    answered(302, location="/ok/1", body=b"hello"),
)

# Into a private network, in every spelling of an address
PRIVATE_ADDRESSES = {
    "decimal": "http://2130706433/",
    "octal": "http://0177.0.0.1/",
    "hex": "http://0x7f.0.0.1/",
    "short": "http://127.1/",
    "dotted": "http://127.0.0.1/",
    "ten": "http://10.0.0.1/",
    "carrier": "http://100.64.0.1/",
    "zero": "http://0.0.0.0/",
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "full_width": "http://１２７.0.0.1/",
    "ipv6_loopback": "http://[::1]/",
    "ipv6_mapped": "http://[::ffff:127.0.0.1]/",
    "ipv6_link_local": "http://[fe80::1]/",
    "ipv6_unique_local": "http://[fd00:ec2::254]/",
    "nat64": "http://[64:ff9b::7f00:1]/",
    "6to4": "http://[2002:7f00:1::]/",
}
for spelling, address in PRIVATE_ADDRESSES.items():
    if address.isascii():
        redirect(
            f"redirect_to_private_{spelling}",
            f"to {address}",
            address,
            Outcome.PRIVATE_ADDRESS,
        )
    else:
        add_answer(
            f"redirect_to_private_{spelling}",
            "to a private address in full-width digits",
            f"HTTP/1.1 302 Found\r\nLocation: {address}\r\nContent-Length: 0\r\n\r\n".encode(),
            answered(302, ring=Outcome.PRIVATE_ADDRESS),
        )
redirect(
    "redirect_to_private_name",
    "to a name with a private address",
    f"http://{PRIVATE_NAME}/",
    Outcome.PRIVATE_ADDRESS,
)
redirect(
    "redirect_to_rebinding_name",
    "to a name that has a good address first and a private one after",
    f"http://{REBINDING_NAME}/",
    Outcome.PRIVATE_ADDRESS,
)
