import pytest

from gossamer.core.errors import SettingsError
from gossamer.pipeline.fetch.address_guard import Guard, is_public


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.100.100.200",  # a cloud's metadata
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",  # most clouds' metadata
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",  # another cloud's metadata
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",  # IPv4-compatible
        "::ffff:127.0.0.1",  # IPv4-mapped
        "::ffff:a00:1",
        "64:ff9b::a00:1",  # NAT64 of 10.0.0.1
        "64:ff9b:1::1",
        "100::1",
        "2001::1",  # Teredo
        "2001:db8::1",
        "2002:7f00:1::",  # 6to4 of 127.0.0.1
        "2002:a9fe:a9fe::1",  # 6to4 of 169.254.169.254
        "3fff::1",
        "fc00::1",
        "fd00:ec2::254",  # a cloud's metadata over IPv6
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "not an address",
    ],
)
def test_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "93.184.216.34",
        "172.15.255.255",
        "172.32.0.1",
        "192.0.1.1",
        "223.255.255.255",
        "2606:4700::1111",
        "::ffff:1.1.1.1",
        "64:ff9b::1.1.1.1",
        "2002:101:101::1",
    ],
)
def test_public(address: str) -> None:
    assert is_public(address)


def test_an_allow_list_opens_only_what_it_names() -> None:
    guard = Guard(False, ["127.0.0.2", "fd00::/8"])
    assert guard.is_allowed("127.0.0.2")
    assert guard.is_allowed("fd12::1")
    assert not guard.is_allowed("127.0.0.1")
    assert not guard.is_allowed("::ffff:127.0.0.1")


def test_allow_private_opens_all() -> None:
    assert Guard(True).is_allowed("127.0.0.1")


def test_a_bad_allow_list_is_one_clear_line() -> None:
    with pytest.raises(SettingsError, match=r"'10\.0\.0\.0/99' is not an address or network"):
        Guard(False, ["10.0.0.0/99"])
