"""A text, read once: its words, and two numbers for what it says.

In: bytes of UTF-8, and the URL they were found at. Out (`Words`): a number for each word, a fingerprint of
all letters, and one of all words without digits and without the words of the URL's path. Pages that differ
only in what was asked for have the last in common.

A word is a run of letters and digits. ASCII letters lose their case; every byte beyond ASCII counts as a
letter, so that no table of Unicode is needed: accents stay part of their words, and the words of a script
without spaces are as long as its sentences.

`METHOD` changes when words come to have other numbers: what was kept from before cannot be compared then.
"""

from gossamer.core.text_words.word_reader import METHOD, WordReader, Words

__all__ = ["METHOD", "WordReader", "Words"]
