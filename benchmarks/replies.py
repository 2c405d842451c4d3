"""How well replies never seen before are read: recall of undeliverable, and false invalids.

    python -m benchmarks.replies

The corpus of Sisimai (`validation/engine/tests/data/NOTICE.md`) is halved at random, 20 times over; every figure comes
from the half that was held out.

- The reader as shipped: rules, so nothing is fitted. Its author had read the corpus, so this alone proves little.
- The same rules with every word forgotten that stands in the held-out half alone: what the grammar finds in a language
  that it knows only in part.
- A learned reader for comparison: log-odds of words and pairs of words, fitted on the other half, its threshold set
  with hindsight where 1 % of the held-out silent replies pass.

The last table is about replies written for this project from knowledge of real servers, in seven sets of which each was
labelled before any reader saw it; docs/figures.md keeps what the first run gave.
"""

import json
import math
import random
import statistics
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from validation.engine.replies.classifier import classify
from validation.engine.replies.lexicon import LEXICON, Lexicon, fold_text
from validation.engine.replies.phrases import (
    PhraseMeaning,
    classify_phrase,
    mask_variable_parts,
    simplify_text,
)

DATA = Path(__file__).parent.parent / "validation" / "engine" / "tests" / "data"
SEEDS = range(20)
FALSE_ALLOWED = 0.01
_ABOUT_RECIPIENT = frozenset(
    {
        PhraseMeaning.NOT_FOUND,
        PhraseMeaning.FULL,
        PhraseMeaning.DISABLED,
        PhraseMeaning.NOT_HOSTED,
        PhraseMeaning.UNAVAILABLE,
    }
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One reply, its provider where known, and whether it says for good that mail cannot reach the recipient."""

    reply: str
    provider: str
    is_undeliverable: bool

    @property
    def words(self) -> str:
        """The text as the reader sees it."""
        return simplify_text(mask_variable_parts(self.reply[4:]))


@dataclass(frozen=True, slots=True)
class Score:
    """Recall of undeliverable, and the share of silent replies that were called undeliverable."""

    recall: float
    false: float


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a file of samples."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def phrases() -> list[Sample]:
    """The bare phrases of the corpus, behind a plain 550."""
    return [
        Sample(f"550 {row['phrase']}", "", row["verdict"] != "unknown_about_mailbox")
        for row in rows("smtp_reply_phrases.jsonl")
    ]


def providers() -> list[Sample]:
    """The whole replies of the corpus; what is refused for now settles nothing."""
    return [
        Sample(row["reply"], row["provider"], row["verdict"] != "unknown_about_mailbox" and row["reply"][0] == "5")
        for row in rows("smtp_replies_providers.jsonl")
    ]


def written(name: str) -> list[Sample]:
    """One set of the replies written for this project."""
    return [
        Sample(row["reply"], row["provider"], bool(row["about_recipient"]))
        for row in rows("server_replies.jsonl")
        if row["set"] == name
    ]


def score(samples: Iterable[Sample], is_undeliverable: Callable[[Sample], bool]) -> Score:
    """How a reader does on samples."""
    said = [(sample.is_undeliverable, is_undeliverable(sample)) for sample in samples]
    telling = [answer for truth, answer in said if truth]
    silent = [answer for truth, answer in said if not truth]
    return Score(sum(telling) / len(telling), sum(silent) / len(silent))


def as_shipped(sample: Sample) -> bool:
    """The engine's own reading."""
    return classify(sample.reply, provider=sample.provider).is_definite


def with_words_withheld(known: list[Sample], held_out: list[Sample]) -> Score:
    """The rules with a lexicon from which the held-out half's own words are gone."""
    lexicon = _restrict_lexicon(_vocabulary(known), _vocabulary(held_out))
    return score(held_out, lambda sample: classify_phrase(sample.words, lexicon) in _ABOUT_RECIPIENT)


def _restrict_lexicon(seen: Collection[str], unseen: Collection[str]) -> Lexicon:
    """The lexicon without the `unseen` words, except in a form that is among the `seen` ones."""

    def is_known(word: str) -> bool:
        key = fold_text(word)
        if not word.endswith("*"):
            return key in seen or key not in unseen
        return any(one.startswith(key) for one in seen) or not any(one.startswith(key) for one in unseen)

    return Lexicon({word: meaning for word, meaning in LEXICON.words.items() if is_known(word)})


def _vocabulary(samples: Iterable[Sample]) -> set[str]:
    return {word for sample in samples for word in sample.words.split()}


class Learned:
    """Naive Bayes over words and pairs of words."""

    def __init__(self, samples: list[Sample]) -> None:
        self._counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        for sample in samples:
            self._counts[sample.is_undeliverable].update(self._features(sample))
        self._met = self._counts[True].keys() | self._counts[False].keys()
        self._sizes = Counter(sample.is_undeliverable for sample in samples)

    def odds(self, sample: Sample) -> float:
        """How much likelier undeliverable than not, as a logarithm."""
        return sum(self._weight(feature) for feature in self._features(sample) if feature in self._met)

    def _weight(self, feature: str) -> float:
        telling = (self._counts[True][feature] + 0.5) / (self._sizes[True] + 1)
        silent = (self._counts[False][feature] + 0.5) / (self._sizes[False] + 1)
        return math.log(telling / silent)

    @staticmethod
    def _features(sample: Sample) -> set[str]:
        words = sample.words.split()
        return {*words, *(f"{first} {second}" for first, second in pairwise(words))}


def learned(known: list[Sample], held_out: list[Sample]) -> Score:
    """The learned reader at the threshold that suits the held-out half best, which is more than it could know."""
    model = Learned(known)
    silent = sorted((model.odds(sample) for sample in held_out if not sample.is_undeliverable), reverse=True)
    threshold = silent[int(len(silent) * FALSE_ALLOWED)]
    return score(held_out, lambda sample: model.odds(sample) > threshold)


def halves(samples: list[Sample], seed: int) -> tuple[list[Sample], list[Sample]]:
    """Two random halves."""
    shuffled = samples[:]
    random.Random(seed).shuffle(shuffled)
    return shuffled[: len(shuffled) // 2], shuffled[len(shuffled) // 2 :]


def main() -> None:
    """Print the tables."""
    corpus = phrases()
    pairs = [halves(corpus, seed) for seed in SEEDS]
    print(f"Held-out halves of {len(corpus)} phrases, seeds {SEEDS[0]} to {SEEDS[-1]}: mean (worst)")
    _print("rules as shipped", [score(held_out, as_shipped) for _, held_out in pairs])
    _print("rules, unseen words withheld", [with_words_withheld(known, held_out) for known, held_out in pairs])
    _print("learned from the other half", [learned(known, held_out) for known, held_out in pairs])
    print("\nWhole replies of providers (Sisimai), and the sets written for this project, today")
    _print("providers", [score(providers(), as_shipped)])
    for name in "abcdefg":
        _print(f"set {name}", [score(written(name), as_shipped)])


def _print(name: str, scores: list[Score]) -> None:
    recalls, falses = [one.recall for one in scores], [one.false for one in scores]
    print(
        f"{name:30} recall {statistics.mean(recalls):6.1%} ({min(recalls):.1%})"
        f"   false invalid {statistics.mean(falses):6.2%} ({max(falses):.2%})"
    )


if __name__ == "__main__":
    main()
