"""The WSGI application that a web server runs."""

import gc
import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

gc.disable()  # nothing of what is loaded now ever goes; `emailcheck.apps.Loaded` enables it
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "emailcheck.settings")
_django = get_wsgi_application()
_CHARSET = re.compile(r";\s*charset\s*=[^;]*", re.IGNORECASE)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    environ["CONTENT_TYPE"] = without_charset(environ.get("CONTENT_TYPE", ""))
    return _django(environ, start_response)


def without_charset(content_type: str) -> str:
    """Everything is read as UTF-8, whatever `charset` says.

    Python knows "charsets" such as zlib, which are none; over one of those Django fails before any middleware answers.
    """
    return _CHARSET.sub("", content_type)
