"""Files before their start: kept, read, reviewed, started or thrown away. Nothing is held or queued for them."""

import dataclasses
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from accounts.models import ApiKey, User
from billing.quota import noting_refusals
from emailcheck.common.errors import Conflict
from emailcheck.common.storage import later
from validation import services, uploads
from validation.listfiles import ReadOptions, shape_from
from validation.models import Batch, BatchType, Upload
from validation.uploads import Content

KEPT_FOR = timedelta(hours=24)
OPEN_AT_MOST = 20
_STARTED = "This upload was started already. Its list is in your history."


@dataclass(frozen=True, slots=True)
class Choices:
    """What the customer insists on; None is guessed, or as the account says."""

    options: ReadOptions = field(default_factory=ReadOptions)
    retention_days: int | None = None
    use_providers: bool | None = None
    max_credits: int | None = None


def inspect(*, user: User, upload: "UploadedFile[bytes]", choices: Choices) -> Upload:
    """Keep a file and say what it holds. What is refused leaves nothing behind.

    An account has at most `OPEN_AT_MOST` uploads that are not started; the oldest ones give way. Raises `BadInput`.
    """
    uploads.check_name(upload)
    stored = uploads.store(upload)
    try:
        draft = Upload(
            user=user,
            filename=Path(upload.name or "").name[:255],
            file=stored,
            expires_at=timezone.now() + KEPT_FOR,
        )
        _understand(draft, _read(stored, choices), choices)
        draft.save()
    except BaseException:
        uploads.discard(stored)
        raise
    _discard_open(Upload.objects.for_user(user).open().order_by("-id")[OPEN_AT_MOST:])
    return draft


def review(*, upload: Upload, choices: Choices) -> Upload:
    """Understand a file by other choices; the same ones cost nothing. Raises `BadInput`, `Conflict` once started."""
    content = None
    if (dataclasses.asdict(choices.options), choices.max_credits) != (upload.options, upload.max_credits):
        content = _read(upload.file, choices)
    with transaction.atomic():
        draft = _locked_open(upload)
        before = draft.sorted_file
        _understand(draft, content, choices)
        draft.save()
    if draft.sorted_file != before:
        uploads.discard_sorted(before)
    return draft


def _read(file: str, choices: Choices) -> Content:
    return uploads.read(file, choices.options, max_credits=choices.max_credits)


def _understand(draft: Upload, content: Content | None, choices: Choices) -> None:
    if content is not None:
        for name, value in dataclasses.asdict(content).items():
            setattr(draft, name, value)
    draft.options = dataclasses.asdict(choices.options)
    draft.retention_days, draft.use_providers = choices.retention_days, choices.use_providers
    draft.max_credits = choices.max_credits


def start(*, upload: Upload, api_key: ApiKey | None = None) -> Batch:
    """Make an upload a batch: its credits are held and it is queued, in one transaction. A second start is the first.

    Raises `Refused` (`QUOTA_EXCEEDED`) when the credits do not suffice; the upload stays as it was.
    """
    with noting_refusals(upload.user):
        batch, is_new = _become_batch(upload, api_key)
    if is_new:
        uploads.discard_sorted(upload.sorted_file)
        services.run_now(batch)
    return batch


@transaction.atomic
def _become_batch(upload: Upload, api_key: ApiKey | None) -> tuple[Batch, bool]:
    draft = Upload.objects.select_for_update().get(pk=upload.pk)
    if draft.batch:
        return draft.batch, False
    batch = Batch(
        user=upload.user,
        test=upload.user.in_test_mode,
        batch_type=BatchType.FILE_UPLOAD,
        filename=draft.filename,
        file=draft.file,
        place=dataclasses.asdict(shape_from(draft.shape).place),
        total_emails=draft.unique,
        duplicates_removed=draft.duplicates,
        blank_rows=draft.blank,
        retention_days=draft.retention_days,
        use_providers=draft.use_providers,
        operators=draft.operators,
    )
    services.queue(batch, cost=draft.possible, chunks=uploads.chunks(draft.sorted_file), api_key=api_key)
    draft.batch = batch
    draft.save(update_fields=["batch"])
    return batch, True


def start_at_once(
    *, user: User, upload: "UploadedFile[bytes]", choices: Choices, api_key: ApiKey | None = None
) -> Batch:
    """Inspect and start in one call. What is refused leaves nothing behind."""
    draft = inspect(user=user, upload=upload, choices=choices)
    try:
        return start(upload=draft, api_key=api_key)
    except BaseException:
        later.do_now_or_later(lambda: _discard_unstarted(draft))
        raise


def _discard_unstarted(draft: Upload) -> None:
    if not Batch.objects.filter(upload=draft).exists():
        discard(upload=draft)


def discard(*, upload: Upload) -> None:
    """Throw away an upload with its file. Raises `Conflict` once it is started: then the file is the batch's."""
    with transaction.atomic():
        draft = _locked_open(upload)
        draft.delete()
    uploads.discard(draft.file)


def _locked_open(upload: Upload) -> Upload:
    draft = Upload.objects.select_for_update().filter(pk=upload.pk).first()
    if draft is None or draft.batch_id:
        raise Conflict(_STARTED)
    return draft


def _discard_open(uploads: Iterable[Upload]) -> None:
    """Throw some uploads away, but for those that somebody has started, or thrown away, meanwhile."""
    for upload in uploads:
        with suppress(Conflict):
            discard(upload=upload)


def erase(user_id: int) -> None:
    """Delete all uploads of an account that are not started, with their files."""
    _discard_open(Upload.objects.filter(user=user_id).open())
    Upload.objects.filter(user=user_id).delete()


def forget_expired() -> None:
    """Drop uploads that nobody started in time with their files, and files that a crash left behind."""
    due = Upload.objects.filter(expires_at__lt=timezone.now())
    _discard_open(due.open())
    due.exclude(batch=None).delete()
    _drop_orphans()


def _drop_orphans() -> None:
    before = (timezone.now() - KEPT_FOR).timestamp()
    for path in (settings.MEDIA_ROOT / "uploads").glob("upl_*"):
        upload = ".".join(path.name.split(".")[:2])
        owned = {"file": f"uploads/{upload}"}
        known = Upload.objects.filter(**owned).exists() or Batch.objects.filter(**owned).exists()
        if not known and path.stat().st_mtime < before:
            path.unlink(missing_ok=True)
