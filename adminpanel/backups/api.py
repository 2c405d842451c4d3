"""Staff calls about backups."""

from pathlib import Path

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from adminpanel.backups import services as backups
from adminpanel.backups.serializers import (
    BackupsSerializer,
    BackupStartedSerializer,
    SystemDoneSerializer,
    present_backup,
)
from emailcheck.common.api.serializers import with_errors


class Trigger(StaffView):
    """Begin a backup of the database and the uploaded files."""

    @extend_schema(
        operation_id="monitoring_backup_trigger",
        request=None,
        responses=with_errors(BackupStartedSerializer, 409, 401, 403),
    )
    def post(self, request: Request) -> Response:
        return Response({"backup_id": backups.start_backup(staff=caller(request)).public_id})


class Backups(StaffView):
    """The backups that are kept, newest first, and those that failed."""

    @extend_schema(operation_id="monitoring_backups", responses=with_errors(BackupsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response({"backups": [present_backup(job) for job in backups.list_backups()]})


class Backup(StaffView):
    """One backup."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="monitoring_backup_delete", responses=with_errors(SystemDoneSerializer, 409, 401, 403, 404)
    )
    def delete(self, request: Request, backup_id: str) -> Response:
        backups.delete_backup(backup_id, staff=caller(request))
        return Response({"message": "Backup deleted"})


class BackupDownload(StaffView):
    """The file of a backup: everything that is in the database, and the uploaded files."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="monitoring_backup_download",
        responses=with_errors({(200, "application/octet-stream"): OpenApiTypes.BINARY}, 401, 403, 404),
    )
    def get(self, request: Request, backup_id: str) -> FileResponse:
        file = backups.open_backup(backup_id, staff=caller(request))
        kind, name = "application/octet-stream", Path(file.name or "").name
        return FileResponse(file, as_attachment=True, filename=name, content_type=kind)
