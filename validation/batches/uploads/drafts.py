"""Files before their start: stored, read, reviewed, started or discarded. Nothing is held or queued for them."""

import dataclasses
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from accounts.access.models import ApiKey
from accounts.organisations.models import Organisation
from billing.usage.quota import notify_refusals
from emailcheck.common.errors import Conflict, require_found
from emailcheck.common.files import delete_files, file_store
from emailcheck.common.storage import later
from validation.access import makers
from validation.batches import repairs
from validation.batches import services as batches
from validation.batches.intake.addresses import choose_positions_a_row
from validation.batches.intake.choices import RepairChoices, parse_choices
from validation.batches.intake.sorted_files import iterate_chunks
from validation.batches.models import Batch, BatchType
from validation.batches.reuse.known import TakenOver
from validation.batches.samples import services as samples
from validation.batches.uploads import files, known_addresses
from validation.batches.uploads.files import Reading, RepairsPage
from validation.batches.uploads.known_addresses import KnownContent, KnownReader
from validation.batches.uploads.models import Upload
from validation.listfiles import ONE_COLUMN, ReadOptions, parse_shape

KEEP_FOR = timedelta(hours=24)
OPEN_AT_MOST = 20
_STARTED = "This upload was started already. Its list is in your history."
_CHANGED = "Earlier verdicts of these addresses have changed or were deleted meanwhile. Look at what it costs now."

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class UploadChoices:
    """The customer's choices; None is guessed, or follows the account's setting."""

    options: ReadOptions = field(default_factory=ReadOptions)
    repair: RepairChoices = field(default_factory=RepairChoices)
    retention_days: int | None = None
    use_providers: bool | None = None
    max_credits: int | None = None
    reuse_days: int = 0

    @property
    def reading(self) -> Reading:
        """How the file is read by them."""
        return Reading(self.options, self.repair, self.max_credits)

    def of_typed_list(self) -> Self:
        """The choices for a list that was typed or pasted: each line is a cell."""
        return replace(self, options=replace(self.options, delimiter=ONE_COLUMN, encoding="utf-8"))


def inspect_upload(
    *,
    organisation: Organisation,
    upload: "UploadedFile[bytes]",
    choices: UploadChoices,
    pasted: bool = False,
    api_key: ApiKey | None = None,
) -> Upload:
    """Store a file and read its contents. A refused file is removed again. `pasted`: a typed list, without a name.

    An account has at most `OPEN_AT_MOST` uploads that are not started; the oldest are discarded. Raises `BadInput`.
    """
    files.check_file_name(upload)
    if pasted:
        choices = choices.of_typed_list()
    stored = files.store_file(upload)
    try:
        draft = Upload(
            organisation=organisation,
            test=organisation.in_test_mode,
            filename="" if pasted else Path(upload.name or "").name[:255],
            pasted=pasted,
            file=stored,
            expires_at=timezone.now() + KEEP_FOR,
        )
        _apply_content(draft, _build_reader(draft, choices, api_key).read(stored, choices.reading), choices)
        draft.save()
    except BaseException:
        delete_files(stored)
        raise
    _discard_open_uploads(Upload.objects.for_org(organisation).open().order_by("-id")[OPEN_AT_MOST:])
    return draft


def review_upload(*, upload: Upload, choices: UploadChoices, api_key: ApiKey | None = None) -> Upload:
    """Read a file again with other choices; the same choices cost nothing.

    Raises `BadInput`, `Conflict` once started.
    """
    content = None
    if upload.pasted:
        choices = choices.of_typed_list()
    if (choices.reading, choices.reuse_days) != (_reading_of(upload), upload.reuse_days):
        content = _build_reader(upload, choices, api_key).read(upload.file, choices.reading)
    with transaction.atomic():
        draft = _lock_open_upload(upload)
        draft.organisation = upload.organisation
        before = draft.sorted_file
        _apply_content(draft, content, choices)
        draft.save()
    if draft.sorted_file != before:
        delete_files(before)
    return draft


def _build_reader(upload: Upload, choices: UploadChoices, api_key: ApiKey | None = None) -> KnownReader:
    person_id = makers.find_maker(api_key)
    return KnownReader(upload.organisation, days=choices.reuse_days, person_id=person_id)


def update_known(upload: Upload, *, api_key: ApiKey | None = None) -> Upload:
    """An open upload with what is known of its addresses now: its sample may have ended since."""
    return _read_open(upload, partial(_find_known, api_key=api_key))


def _find_known(upload: Upload, *, api_key: ApiKey | None, force: bool = False) -> Upload:
    if upload.batch_id or not (force or known_addresses.is_outdated(upload)):
        return upload
    reader = KnownReader(upload.organisation, days=upload.reuse_days, person_id=makers.find_maker(api_key))
    known, known_file = reader.find_again(upload)
    with transaction.atomic():
        draft = _lock_open_upload(upload)
        draft.organisation = upload.organisation
        if draft.sorted_file != upload.sorted_file:
            return draft
        before, draft.known, draft.known_file = draft.known_file, known, known_file
        draft.save(update_fields=["known", "known_file"])
    delete_files(before)
    return draft


def start_sample(*, upload: Upload) -> None:
    """Begin the free sample of an open upload. Raises as `create_sample`, and `Conflict` once it is started."""
    _read_open(upload, _draw_sample)


def _draw_sample(upload: Upload) -> None:
    _require_open(upload)
    with file_store().local_copy(upload.sorted_file) as path:
        rows = chain.from_iterable(iterate_chunks(path))
        samples.create_sample(
            upload.organisation,
            (row[1] for row in islice(rows, upload.possible)),
            possible=upload.possible,
            content_hash=upload.content_hash,
        )


def page_repairs(*, upload: Upload, kind: str | None, cursor: str, size: int) -> RepairsPage:
    """A page of the repairs and suggestions of an open upload. Raises as `files.page_findings`, and `Conflict` once it
    is started."""

    def read(upload: Upload) -> RepairsPage:
        _require_open(upload)
        return files.page_findings(upload.sorted_file, kind=kind, cursor=cursor, size=size)

    return _read_open(upload, read)


def _require_open(upload: Upload) -> None:
    if upload.batch_id:
        raise Conflict(_STARTED)


def _read_open(upload: Upload, read: Callable[[Upload], Found]) -> Found:
    """What `read` finds. Another call may have started the upload meanwhile or read it by other choices, and the files
    of before are gone: then it reads those that there are now. Raises `NotFound` once it was discarded."""
    try:
        return read(upload)
    except FileNotFoundError:
        return read(load_upload(upload.organisation, upload.public_id))


def _reading_of(upload: Upload) -> Reading:
    """How an upload was read last."""
    return Reading(ReadOptions(**upload.options), parse_choices(upload.repair_choices), upload.max_credits)


def _apply_content(draft: Upload, read: KnownContent | None, choices: UploadChoices) -> None:
    if read is not None:
        content, draft.known, draft.known_file = read
        whole_hash = draft.content_hash
        for name, value in dataclasses.asdict(content).items():
            setattr(draft, name, value)
        if content.cut_at is not None and whole_hash:
            draft.content_hash = whole_hash
    draft.options, draft.repair_choices = dataclasses.asdict(choices.options), dataclasses.asdict(choices.repair)
    draft.retention_days, draft.use_providers = choices.retention_days, choices.use_providers
    draft.max_credits, draft.reuse_days = choices.max_credits, choices.reuse_days


def start_upload(*, upload: Upload, api_key: ApiKey | None = None, private: bool = False) -> Batch:
    """Start an upload as a batch: hold its credits and queue it, in one transaction.

    `private`: only its maker, owners and admins see it. A second start returns the first batch. Raises `Refused`
    (`QUOTA_EXCEEDED`) without enough credits, `Conflict` where verdicts that it would reuse are gone; the upload stays
    open.
    """
    started = _read_open(upload, partial(_start_open, api_key=api_key, private=private))
    delete_files(started.done_with)
    if started.is_new:
        batches.check_short_list(started.batch)
    return started.batch


def _start_open(upload: Upload, *, api_key: ApiKey | None, private: bool) -> "_Started":
    upload = _prepare_start(upload, api_key=api_key)
    if upload.batch:
        return _Started(upload.batch, is_new=False, done_with="")
    with (
        file_store().local_copy(upload.sorted_file) as path,
        known_addresses.open_taken_over(upload.known, upload.known_file) as over,
        notify_refusals(upload.organisation),
    ):
        return _create_batch(upload, path, over, api_key, private=private)


def _prepare_start(upload: Upload, *, api_key: ApiKey | None) -> Upload:
    """An upload whose review is still true, or that was started."""
    upload = _find_known(upload, api_key=api_key)
    if upload.batch_id is None and not known_addresses.is_usable(upload):
        _find_known(upload, api_key=api_key, force=True)
        raise Conflict(_CHANGED)
    return upload


class _Started(NamedTuple):
    """`done_with`: the sorted file that nobody needs any more."""

    batch: Batch
    is_new: bool
    done_with: str


@transaction.atomic
def _create_batch(upload: Upload, path: Path, over: TakenOver, api_key: ApiKey | None, *, private: bool) -> _Started:
    """`path`, `over`: the sorted file of `upload`, and what it takes over."""
    draft = Upload.objects.select_for_update().get(pk=upload.pk)
    if draft.batch:
        return _Started(draft.batch, is_new=False, done_with="")
    if (draft.sorted_file, draft.known_file) != (upload.sorted_file, upload.known_file):
        raise FileNotFoundError(upload.sorted_file)
    location, repair = parse_shape(draft.shape).location, parse_choices(draft.repair_choices)
    batch = Batch(
        organisation=upload.organisation,
        private=private,
        test=upload.organisation.in_test_mode,
        batch_type=BatchType.BULK_TEXTAREA if draft.pasted else BatchType.FILE_UPLOAD,
        filename=draft.filename,
        file=draft.file,
        address_location=dataclasses.asdict(location),
        positions_a_row=choose_positions_a_row(repair, len(location.email_columns)),
        repair_choices=None if repair.changes_nothing else draft.repair_choices,
        repaired_count=(draft.findings or {}).get("repaired", 0),
        overfull=(draft.findings or {}).get("overfull") or None,
        content_hash=draft.content_hash,
        cut_at=draft.cut_at,
        rest=draft.rest and draft.rest | {"reuse_days": draft.reuse_days},
        total_emails=draft.unique,
        duplicates_removed=draft.duplicates,
        blank_rows=draft.blank,
        retention_days=draft.retention_days,
        use_providers=draft.use_providers,
        operators=draft.operators,
    )
    batches.queue_batch(
        batch,
        possible=draft.possible,
        chunks=iterate_chunks(path),
        api_key=api_key,
        over=over,
    )
    has_more = repairs.store_repairs(batch, draft.sorted_file, path)
    draft.batch = batch
    draft.save(update_fields=["batch"])
    return _Started(batch, is_new=True, done_with="" if has_more else draft.sorted_file)


def start_at_once(
    *,
    organisation: Organisation,
    upload: "UploadedFile[bytes]",
    choices: UploadChoices,
    api_key: ApiKey | None = None,
    private: bool = False,
) -> Batch:
    """Inspect and start in one call. A refused file is removed again."""
    draft = inspect_upload(organisation=organisation, upload=upload, choices=choices, api_key=api_key)
    try:
        return start_upload(upload=draft, api_key=api_key, private=private)
    except BaseException:
        later.run_now_or_later(lambda: _discard_unstarted(draft))
        raise


def _discard_unstarted(draft: Upload) -> None:
    if not Batch.objects.filter(upload=draft).exists():
        discard_upload(upload=draft)


def discard_upload(*, upload: Upload) -> None:
    """Discard an upload with its file. Raises `Conflict` once it is started: the file belongs to the batch then."""
    with transaction.atomic():
        draft = _lock_open_upload(upload)
        draft.delete()
        delete_files(draft.file)


def _lock_open_upload(upload: Upload) -> Upload:
    draft = Upload.objects.select_for_update().filter(pk=upload.pk).first()
    if draft is None or draft.batch_id:
        raise Conflict(_STARTED)
    return draft


def _discard_open_uploads(uploads: Iterable[Upload]) -> None:
    """Discard uploads, except those started or discarded meanwhile."""
    for upload in uploads:
        with suppress(Conflict):
            discard_upload(upload=upload)


def erase_uploads(organisation_id: int) -> None:
    """Delete all uploads of an account that are not started, with their files."""
    _discard_open_uploads(Upload.objects.filter(organisation=organisation_id).open())
    Upload.objects.filter(organisation=organisation_id).delete()


def forget_expired() -> None:
    """Delete expired uploads with their files, and files left behind by a crash."""
    due = Upload.objects.filter(expires_at__lt=timezone.now())
    _discard_open_uploads(due.open())
    due.exclude(batch=None).delete()
    _delete_orphan_files()


def _delete_orphan_files() -> None:
    before = timezone.now() - KEEP_FOR
    for found in file_store().iterate_files("uploads/upl_"):
        upload = ".".join(found.name.split(".")[:2])
        known = Upload.objects.filter(file=upload).exists() or Batch.objects.filter(file=upload).exists()
        if not known and found.modified_at < before:
            delete_files(found.name)


def load_upload(organisation: Organisation, public_id: str) -> Upload:
    """The upload with that id, until it expires. Raises `NotFound` for unknown ids and other accounts' ids alike."""
    found = Upload.objects.for_org(organisation).filter(public_id=public_id, expires_at__gt=timezone.now())
    upload = require_found(found.first(), "Upload not found")
    upload.organisation = organisation  # which knows the mode of the call
    return upload
