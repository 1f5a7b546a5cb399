"""Hosts that are numbers, not names."""


def is_address(host: str) -> bool:
    """Is this host, as a parsed URL has it, an IP address?

    The standard has already written every spelling of an IPv4 address (decimal, octal, short) as
    four decimal numbers, and refuses any other host whose last label is a number. So the last
    character tells.

    >>> is_address("192.0.2.1"), is_address("[::1]"), is_address("example.com"), is_address("a.b4")
    (True, True, False, False)
    """
    return host[-1:] == "]" or host.rpartition(".")[2].isdecimal()
