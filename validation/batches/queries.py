"""The lists of an account by id, and the number of their stored results."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Sum

from emailcheck.common.errors import require_found
from validation.access.readers import Reader
from validation.batches.chunks.models import Chunk, ChunkState
from validation.batches.models import ENDED, Batch


def load_batch(reader: Reader, public_id: str, *, deleted: bool = False) -> Batch:
    """The batch with that id; a deleted one only on request.

    Raises `NotFound` for unknown, foreign and hidden ones alike (VAL-040, ORG-022).
    """
    organisation = reader.organisation
    mine = (
        Batch.objects.filter(reader.visible(), organisation=organisation, test=organisation.in_test_mode)
        if deleted
        else Batch.objects.visible_to(reader)
    )
    return require_found(mine.select_related("organisation").filter(public_id=public_id).first(), "Batch not found")


def owns_batch(organisation: AbstractBaseUser, public_id: str) -> bool:
    """Whether a organisation has a batch with that id."""
    return Batch.objects.filter(organisation_id=organisation.pk, deleted_at=None, public_id=public_id).exists()


def count_stored_results(batch: Batch, *counts: str) -> int:
    """The number of a batch's stored results, from its counts; from its chunks' counts in its first run.

    `counts` names those to add up, such as `valid_count`; without any it is all results.
    """
    names = counts or ("processed",)
    if batch.status in ENDED or batch.last_recheck_at:
        return sum(getattr(batch, name) for name in names)
    done = Chunk.objects.filter(batch=batch, state=ChunkState.DONE)
    return sum(total or 0 for total in done.aggregate(**{f"n_{name}": Sum(name) for name in names}).values())
