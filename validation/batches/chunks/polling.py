"""How often a worker queries for chunks."""

import time
from collections.abc import Sequence

from validation.batches.chunks import free_chunks
from validation.batches.chunks.models import Chunk
from validation.batches.chunks.open_chunk import OpenChunk

POLL_EVERY_S = 2.0
SOON_S = 15.0


class ChunkPoller:
    """When a worker queries for more chunks.

    It pauses after a query that returned every free chunk. Otherwise rows that wait for an operator would cause
    constant queries.
    """

    def __init__(self) -> None:
        self._next_at = 0.0
        self._is_more_coming: bool | None = None

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._next_at

    @property
    def is_more_coming(self) -> bool:
        """Whether the last query left other chunks, or some are due before the next sweep."""
        if self._is_more_coming is None:
            self._is_more_coming = free_chunks.has_free_chunks(within_s=SOON_S)
        return self._is_more_coming

    def note_claimed(self, chunks: Sequence[Chunk], *, wanted: int) -> None:
        """Note a query's result, and the number of rows it wanted."""
        is_all = sum(chunk.size for chunk in chunks) < wanted
        self._next_at = time.monotonic() + (POLL_EVERY_S if is_all else 0.0)
        self._is_more_coming = None

    def note_ended(self, item: OpenChunk) -> None:
        """Note the end of a chunk. One with provider questions may make another claimable at once."""
        if item.unresolved or item.chunk.asks_providers:
            self._next_at = 0.0
