"""Structures larger than memory, and files that survive a crash.

Every file is append-only or replaced by an atomic rename, and every structure can say in a few
bytes how to find its state again (`checkpoint`) and go back to that state later (`restore`), whatever
was appended meanwhile.
"""
