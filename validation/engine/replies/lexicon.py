"""Words of mail servers by their meaning, in some twenty languages (`data/words.txt`)."""

import re
import unicodedata
from collections.abc import Mapping

from validation.engine.knowledge.list_files import WORDS, read_sections

_NOISE = re.compile(r"[^\w\s]+|_")
_SPACE = re.compile(r"\s+")
_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ı": "i", "İ": "I", "ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "đ": "d"})
_FIRST_UNSPACED = "\u2e80"  # from here on stand the scripts of China, Japan and Korea
_SHORTEST_STEM = 3


def fold_text(text: str) -> str:
    """Lower case, without accents and punctuation."""
    if not text.isascii():
        letters = unicodedata.normalize("NFKD", text.translate(_LETTERS))
        text = unicodedata.normalize("NFC", "".join(mark for mark in letters if unicodedata.category(mark) != "Mn"))
    return _SPACE.sub(" ", _NOISE.sub(" ", text.lower())).strip()


class Lexicon:
    """The meanings of words: whole ones, stems, and those of scripts without spaces between words."""

    def __init__(self, words: Mapping[str, str]) -> None:
        """`words` gives each word its meaning; a word that ends in `*` is a stem."""
        self.words = dict(words)
        self._stems: dict[str, str] = {}
        self._whole: dict[str, str] = {}
        self._unspaced: dict[str, str] = {}
        for word, meaning in words.items():
            key = fold_text(word)
            spaced = self._stems if word.endswith("*") else self._whole
            (self._unspaced if key[0] >= _FIRST_UNSPACED else spaced)[key] = meaning
        longest_first = sorted(self._unspaced, key=lambda word: (-len(word), word))
        self._any_unspaced = re.compile("|".join(longest_first) or r"(?!)")

    def meanings(self, simple: str) -> str:
        """The meanings of a simplified text in order. A word without a meaning stays as it is."""
        if not simple.isascii():
            simple = self._any_unspaced.sub(lambda found: f" {self._unspaced[found[0]]} ", simple)
        return " ".join(self._meaning(word) for word in simple.split())

    def _meaning(self, word: str) -> str:
        whole = self._whole.get(word)
        if whole is not None:
            return whole
        for end in range(len(word), _SHORTEST_STEM - 1, -1):
            stem = self._stems.get(word[:end])
            if stem is not None:
                return stem
        return word


def _load_shipped_lexicon() -> Lexicon:
    sections = read_sections(WORDS).names
    return Lexicon(
        {
            word: section.upper().replace("-", "")
            for section, lines in sections.items()
            for word in " ".join(lines).split()
        }
    )


LEXICON = _load_shipped_lexicon()
