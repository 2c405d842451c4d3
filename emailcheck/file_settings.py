"""Where files are: Django's STORAGES on a disk and in an S3-compatible service."""

import base64
import binascii
from typing import Any

from emailcheck.env import Env, SettingError

STATIC_FILES = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
_DISK, _S3 = "emailcheck.common.files.disk.DiskStore", "emailcheck.common.files.s3.S3Store"
_NEEDED = ("FILE_STORE_BUCKET", "FILE_STORE_KEY", "FILE_STORE_SECRET")
_KEY_OCTETS = 32

Stores = dict[str, dict[str, Any]]


def build_stores(env: Env) -> dict[str, Stores]:
    """The stores `files` and `backups` of each kind. That of `s3` is empty without a bucket.

    Raises `SettingError` for an S3 store that is not described whole.
    """
    disk = {"files": "MEDIA_ROOT", "backups": "BACKUP_DIR"}
    return {
        "disk": {name: {"BACKEND": _DISK, "OPTIONS": {"directory": where}} for name, where in disk.items()},
        "s3": _build_s3(env),
    }


def _build_s3(env: Env) -> Stores:
    missing = [name for name in _NEEDED if not env.text(name)]
    if missing and (env.text("FILE_STORE") == "s3" or len(missing) < len(_NEEDED)):
        raise SettingError(f"FILE_STORE=s3 needs {', '.join(missing)}")
    if missing:
        return {}
    options = {
        "endpoint_url": env.text("FILE_STORE_ENDPOINT") or None,
        "region_name": env.text("FILE_STORE_REGION", "us-east-1"),
        "bucket_name": env.text("FILE_STORE_BUCKET"),
        "access_key": env.text("FILE_STORE_KEY"),
        "secret_key": env.text("FILE_STORE_SECRET"),
        "encryption": env.choice("FILE_STORE_ENCRYPTION", ("bucket", "service", "own"), "bucket"),
        "encryption_key": env.text("FILE_STORE_ENCRYPTION_KEY"),
    }
    if options["encryption"] == "own" and not _is_key(str(options["encryption_key"])):
        raise SettingError("FILE_STORE_ENCRYPTION=own needs FILE_STORE_ENCRYPTION_KEY: 32 octets in base64")
    return {name: {"BACKEND": _S3, "OPTIONS": {**options, "location": name}} for name in ("files", "backups")}


def _is_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text, validate=True)) == _KEY_OCTETS
    except binascii.Error:
        return False
