"""The words of the service that a program may branch on. A word that is new becomes `OTHER`, which keeps its text."""

from enum import Enum


class Word(Enum):
    """Equals itself and its text. Every unknown word equals `OTHER` and has its own `value`."""

    @classmethod
    def _missing_(cls, value: object) -> "Word":
        other = object.__new__(cls)
        other._name_, other._value_ = "OTHER", str(value)
        return other

    @property
    def _identity(self) -> str:
        return "other" if self.name == "OTHER" else str(self.value)

    def __eq__(self, other: object) -> bool:
        same = type(self) is type(other)
        return self._identity == (other._identity if same and isinstance(other, Word) else other)

    def __hash__(self) -> int:
        return hash(self._identity)

    def __str__(self) -> str:
        return str(self.value)


class Category(Word):
    """What a sender should make of an address."""

    VALID = "valid"
    INVALID = "invalid"
    CATCH_ALL = "catch_all"
    DISPOSABLE = "disposable"
    SPAM_TRAP = "spam_trap"
    UNKNOWN = "unknown"
    OTHER = "other"


class Status(Word):
    """Where a list is."""

    QUEUED = "queued"
    PROCESSING = "processing"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    OTHER = "other"
