"""The lists of an account by id, and the number of their stored results."""

from django.db.models import Q, Sum

from accounts.organisations.models import list_all_memberships
from accounts.organisations.roles import Right, may
from accounts.users.models import User
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


def reads_batch(user: User, public_id: str) -> bool:
    """Whether a person may read the batch with that id in one of the organisations in which they work."""
    mine = (member for member in list_all_memberships(user) if member.organisation.is_active)
    shown = Q(pk__in=[])
    for member in mine:
        if may(member.role, Right.READ):
            shown |= Q(Reader.from_membership(member).visible(), organisation=member.organisation)
    return Batch.objects.filter(shown, deleted_at=None, public_id=public_id).exists()


def count_stored_results(batch: Batch, *counts: str) -> int:
    """The number of a batch's stored results, from its counts; from its chunks' counts in its first run.

    `counts` names those to add up, such as `valid_count`; without any it is all results.
    """
    names = counts or ("processed",)
    if batch.status in ENDED or batch.last_recheck_at:
        return sum(getattr(batch, name) for name in names)
    done = Chunk.objects.filter(batch=batch, state=ChunkState.DONE)
    return sum(total or 0 for total in done.aggregate(**{f"n_{name}": Sum(name) for name in names}).values())
