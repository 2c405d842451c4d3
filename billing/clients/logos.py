"""The pictures of clients on their reports: looked at before they are kept, and served as what they are."""

import warnings
from io import BytesIO

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone
from PIL import Image, UnidentifiedImageError

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation, OrganisationLogo
from emailcheck.common.errors import BadInput, TooLarge, require_found

MOST_BYTES = 200 * 1024
MOST_PIXELS = 4_000  # a side
MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}


@transaction.atomic
def save_logo(*, organisation: Organisation, file: UploadedFile[bytes]) -> None:
    """Keep a picture. Raises `TooLarge` above 200 KB, `BadInput` for what is no PNG or JPEG, or too wide or high."""
    if (file.size or 0) > MOST_BYTES:
        raise TooLarge("A logo may have up to 200 KB.", code="FILE_TOO_LARGE", field="logo")
    content = file.read()
    values = {"media_type": _find_media_type(content), "content": content, "changed_at": timezone.now()}
    OrganisationLogo.objects.update_or_create(organisation=organisation, defaults=values)
    _record(organisation, "Logo changed")


@transaction.atomic
def remove_logo(*, organisation: Organisation) -> None:
    """Go without a picture. Harmless when there is none."""
    if OrganisationLogo.objects.filter(organisation=organisation).delete()[0]:
        _record(organisation, "Logo removed")


def load_logo(organisation: Organisation) -> OrganisationLogo:
    """Raises `NotFound`."""
    return require_found(OrganisationLogo.objects.filter(organisation=organisation).first(), "No logo")


def _find_media_type(content: bytes) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of what is small as a file and huge as a picture
            with Image.open(BytesIO(content), formats=tuple(MEDIA_TYPES)) as picture:
                media_type, size = MEDIA_TYPES[picture.format or ""], picture.size
                if max(size) <= MOST_PIXELS:
                    picture.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Warning) as error:
        raise BadInput("A logo must be a PNG or JPEG picture.", field="logo") from error
    if max(size) > MOST_PIXELS:
        raise BadInput(f"A logo may have up to {MOST_PIXELS:,} pixels a side.", field="logo")
    return media_type


def _record(organisation: Organisation, action: str) -> None:
    audit_log.record_activity(organisation=organisation, kind=ActivityKind.SETTINGS, action=action)
