"""Staff calls about backups."""

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.callers import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from adminpanel.backups import services as backups
from adminpanel.backups.serializers import (
    BackupsSerializer,
    BackupStartedSerializer,
    SystemDoneSerializer,
    present_backup,
)
from emailcheck.common.api.serializers import ErrorSerializer

_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}
_OF_ONE = {**_ERRORS, 404: ErrorSerializer}


class Trigger(StaffView):
    """Begin a backup of the database and the uploaded files."""

    @extend_schema(
        operation_id="monitoring_backup_trigger",
        request=None,
        responses={200: BackupStartedSerializer, 409: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        return Response({"backup_id": backups.start_backup(staff=caller(request)).public_id})


class Backups(StaffView):
    """The backups that are kept, newest first, and those that failed."""

    @extend_schema(operation_id="monitoring_backups", responses={200: BackupsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response({"backups": [present_backup(job) for job in backups.list_backups()]})


class Backup(StaffView):
    """One backup."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="monitoring_backup_delete",
        responses={200: SystemDoneSerializer, 409: ErrorSerializer, **_OF_ONE},
    )
    def delete(self, request: Request, backup_id: str) -> Response:
        backups.delete_backup(backup_id, staff=caller(request))
        return Response({"message": "Backup deleted"})


class BackupDownload(StaffView):
    """The file of a backup: everything that is in the database, and the uploaded files."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="monitoring_backup_download",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **_OF_ONE},
    )
    def get(self, request: Request, backup_id: str) -> FileResponse:
        path = backups.find_backup_file(backup_id, staff=caller(request))
        kind = "application/octet-stream"
        return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type=kind)
