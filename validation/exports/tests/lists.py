"""Lists with uploaded files for the tests of what comes out, their verdicts stored without a check."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.users.models import User
from validation.batches.intake.choices import RepairChoices
from validation.batches.models import Batch, BatchStatus, BatchType
from validation.batches.retention import services as retention
from validation.batches.uploads import drafts
from validation.engine import Category, Flag, Reason, Verdict
from validation.exports import originals
from validation.listfiles import ReadOptions
from validation.listfiles.child_process import inspect_list
from validation.results import storage

REASONS = {
    Category.VALID: Reason.MAILBOX_EXISTS,
    Category.INVALID: Reason.MAILBOX_NOT_FOUND,
    Category.UNKNOWN: Reason.TIMEOUT,
}


def start(user: User, content: bytes, name: str = "list.csv", *, repair: bool = False, **options: Any) -> Batch:
    """Upload a file and check it."""
    choices = drafts.UploadChoices(ReadOptions(**options), RepairChoices(repair=repair))
    upload = SimpleUploadedFile(name, content)
    return drafts.start_at_once(organisation=user.own_organisation, upload=upload, choices=choices)


def store_list(user: User, content: bytes, name: str = "list.csv", **options: Any) -> Batch:
    """A list with its file, as if it ran and had no verdict yet."""
    path = Path(settings.MEDIA_ROOT) / f"stored-{Batch.objects.count()}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    location = inspect_list(path, ReadOptions(**options)).location
    return Batch.objects.create(
        organisation=user.own_organisation,
        batch_type=BatchType.FILE_UPLOAD,
        status=BatchStatus.PROCESSING,
        filename=name,
        file=path.name,
        address_location=dataclasses.asdict(location),
        total_emails=1,
        positions_a_row=1 if len(location.email_columns) == 1 else 512,
    )


def store_verdicts(batch: Batch, found: Mapping[int, tuple[str, Category]]) -> None:
    """Give addresses their verdicts, by position. What is `info@` is a role; each has a mail host of its domain."""
    writer = storage.EvidenceWriter()
    rows = [
        storage.build_row(
            Verdict(
                email=email,
                domain=email.partition("@")[2],
                category=category,
                reason=REASONS[category],
                confidence=0.9,
                safe_to_send=category is Category.VALID,
                sentence="As told.",
                flags=(Flag.ROLE,) if email.startswith("info@") else (),
                mx_hosts=(f"mx.{email.partition('@')[2]}.",),
            ),
            position=position,
            evidence_writer=writer,
        )
        for position, (email, category) in found.items()
    ]
    storage.insert_results(storage.prepare_results(rows), organisation_id=batch.organisation_id, batch_id=batch.pk)


def read_original(batch: Batch, **choices: Any) -> bytes:
    """The whole file with its verdicts."""
    return b"".join(originals.open_original(batch, originals.OriginalChoices(**choices)).content)


def discard_file(batch: Batch) -> None:
    """Remove the file of a list, as its retention does."""
    retention.remove_file(batch)
