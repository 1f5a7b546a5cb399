"""Packages with parsers, installed for real: a module and its dist-info in a folder on the path."""

import sys
from pathlib import Path

import pytest

WICKED = '''
import os, signal, time
from gossamer.core.records import Document, Link
from gossamer.core.url import parse

def read(page):
    """What the body says is what happens."""
    wish = page.body.partition(b" ")[0].decode()
    return WISHES[wish](page)

def fine(page):
    link = Link(page.url, parse("http://found.example/"), anchor="found")
    return Document(page, title="fine", media_type="application/x-wicked", links=(link,), text_utf8=b"text")

def crash(page):
    os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(60)

def leave(page):
    os._exit(7)

def sleep(page):
    time.sleep(600)

def spin(page):
    while True:
        pass

def eat(page):
    hoard = []
    while True:
        hoard.append(bytearray(8 << 20))

def refuse(page):
    raise ValueError("not today")

def talk(page):
    return Document(page, title="long", text_utf8=b"x" * (40 << 20))

def lie(page):
    return "this is no document"

def babble(page):
    """Write nonsense to every descriptor there is."""
    for descriptor in sorted(map(int, os.listdir("/proc/self/fd")))[3:]:
        try:
            os.write(descriptor, b"\\xff" * 64)
        except OSError:
            pass
    time.sleep(60)

WISHES = dict(fine=fine, crash=crash, leave=leave, sleep=sleep, spin=spin, eat=eat, refuse=refuse,
              talk=talk, lie=lie, babble=babble)
'''


def install(
    folder: Path, monkeypatch: pytest.MonkeyPatch, entry_points: str, module: str = WICKED
) -> None:
    """Put a package `wicked` where Python, and every child of it, finds it."""
    (folder / "wicked.py").write_text(module)
    info = folder / "wicked-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wicked\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "wicked", raising=False)  # that of another test
