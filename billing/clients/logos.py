"""The pictures of clients on their reports: looked at before they are kept, and served as what they are."""

import math
import warnings
from io import BytesIO

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from PIL import Image, UnidentifiedImageError

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation, OrganisationLogo
from emailcheck.common.errors import BadInput, TooLarge, require_found

MOST_BYTES = 200 * 1024
MOST_PIXELS = 4_000  # a side
NO_PICTURE = "A logo must be a PNG or JPEG picture."
TOO_WIDE = f"A logo may have up to {MOST_PIXELS:,} pixels a side."
MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}
_SEVERAL_JPEGS = "MPO"  # as some cameras write them: what reads JPEG takes the first one


@transaction.atomic
def save_logo(*, organisation: Organisation, file: UploadedFile[bytes]) -> None:
    """Keep a picture. Raises `TooLarge` above 200 KB, `BadInput` for what is no PNG or JPEG, or too wide or high."""
    if (file.size or 0) > MOST_BYTES:
        raise TooLarge("A logo may have up to 200 KB.", code="FILE_TOO_LARGE", field="logo")
    content = file.read()
    media_type = _find_media_type(content)
    before = _lock_logo(organisation)
    if before is not None and bytes(before.content) == content:
        return
    made = OrganisationLogo(organisation=organisation, media_type=media_type, content=content)
    made.save(force_insert=before is None, force_update=before is not None)
    _record(organisation, "Logo changed", before, made)


@transaction.atomic
def remove_logo(*, organisation: Organisation) -> None:
    """Go without a picture. Harmless when there is none."""
    before = _lock_logo(organisation)
    if before is not None:
        before.delete()
        _record(organisation, "Logo removed", before, None)


def load_logo(organisation: Organisation) -> OrganisationLogo:
    """Raises `NotFound`."""
    return require_found(OrganisationLogo.objects.filter(organisation=organisation).first(), "No logo")


def _lock_logo(organisation: Organisation) -> OrganisationLogo | None:
    """The picture, if there is one; those of an organisation change one after another."""
    Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)
    return OrganisationLogo.objects.filter(organisation=organisation).first()


def _find_media_type(content: bytes) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what may be missing around a picture that is whole
            warnings.simplefilter("error", Image.DecompressionBombWarning)  # small as a file, huge as a picture
            with Image.open(BytesIO(content), formats=tuple(MEDIA_TYPES)) as picture:
                kind, size = picture.format or "", picture.size
                if max(size) <= MOST_PIXELS:
                    picture.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Warning) as error:
        raise BadInput(NO_PICTURE, field="logo") from error
    except Image.DecompressionBombError as error:
        raise BadInput(TOO_WIDE, field="logo") from error
    if max(size) > MOST_PIXELS:
        raise BadInput(TOO_WIDE, field="logo")
    media_type = MEDIA_TYPES.get("JPEG" if kind == _SEVERAL_JPEGS else kind)
    if media_type is None:
        raise BadInput(NO_PICTURE, field="logo")
    return media_type


def _record(
    organisation: Organisation, action: str, before: OrganisationLogo | None, after: OrganisationLogo | None
) -> None:
    audit_log.record_activity(
        organisation=organisation,
        kind=ActivityKind.SETTINGS,
        action=action,
        changes={"logo": [_describe_logo(before), _describe_logo(after)]},
    )


def _describe_logo(logo: OrganisationLogo | None) -> str | None:
    """Such as `PNG, 12 KB`."""
    if logo is None:
        return None
    kind = logo.media_type.removeprefix("image/").upper()
    return f"{kind}, {math.ceil(len(logo.content) / 1024)} KB"
