"""Files of the bundles of other versions, for pages that one version has made and whose files another one is asked for.

While machines are replaced one by one, a page of the newer version asks a web of the older one for its files, and the
other way round; and a page that has been open since before asks for more of its own. So each web, before it answers,
puts the files of its bundle into the database, where every other one finds them.
"""

import re
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from emailcheck.common.web.models import ReleasedFile

KEPT = timedelta(days=30)
# As WhiteNoise answers the files of this version.
_CACHE_CONTROL = "max-age=315360000, public, immutable"
_KINDS = {"js": 'text/javascript; charset="utf-8"', "css": 'text/css; charset="utf-8"', "woff2": "font/woff2"}
_HASHED = re.compile(settings.WHITENOISE_IMMUTABLE_FILE_TEST)


@transaction.atomic
def publish_bundle() -> None:
    """Have every web answer the files of this version's bundle; forget what was replaced `KEPT` ago.

    Without a bundle nothing changes. Two that start at once wait for each other.
    """
    files = {path.name: path for path in sorted(Path(settings.FRONTEND_DIST).iterdir()) if _HASHED.match(path.name)}
    if not files:
        return
    published = set(ReleasedFile.objects.select_for_update().order_by("name").values_list("name", flat=True))
    new = [ReleasedFile(name=name, content=path.read_bytes()) for name, path in files.items() if name not in published]
    ReleasedFile.objects.bulk_create(new, ignore_conflicts=True)
    ReleasedFile.objects.filter(name__in=files).exclude(replaced_at=None).update(replaced_at=None)
    ReleasedFile.objects.filter(replaced_at=None).exclude(name__in=files).update(replaced_at=Now())
    ReleasedFile.objects.filter(replaced_at__lt=Now() - KEPT).delete()


@require_safe
def show_released_file(request: HttpRequest, name: str) -> HttpResponse:
    """A file of another version's bundle; this version's own are answered before."""
    found = ReleasedFile.objects.filter(name=name).first() if _HASHED.match(name) else None
    if found is None:
        raise Http404
    kind = _KINDS.get(name.rpartition(".")[2], "application/octet-stream")
    return HttpResponse(bytes(found.content), headers={"Cache-Control": _CACHE_CONTROL, "Content-Type": kind})
