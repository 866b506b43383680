"""Counting of words."""

from collections import Counter


def count_words(text):
    return Counter(text.lower().split())


def top_words(text, limit):
    """The most frequent words; equally frequent ones in alphabetical order."""
    ordered = sorted(count_words(text).items(), key=lambda pair: (-pair[1], pair[0]))
    return ordered[:limit]
