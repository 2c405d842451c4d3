"""Shapes of the staff calls about backups."""

from typing import Any

from rest_framework import serializers

from adminpanel.jobs.models import Job, JobStatus
from adminpanel.jobs.services import measure_duration
from emailcheck.common.api.serializers import Shape


class BackupStartedSerializer(Shape):
    backup_id = serializers.CharField()


class BackupSerializer(Shape):
    id = serializers.CharField()
    created_at = serializers.DateTimeField()
    size = serializers.IntegerField(allow_null=True, help_text="Bytes; null while it is not complete.")
    duration_seconds = serializers.FloatField(help_text="So far, while it runs.")
    status = serializers.ChoiceField(choices=JobStatus.choices)
    error = serializers.CharField(allow_null=True)


class BackupsSerializer(Shape):
    backups = BackupSerializer(many=True)


class SystemDoneSerializer(Shape):
    message = serializers.CharField()


def present_backup(job: Job) -> dict[str, Any]:
    return {
        "id": job.public_id,
        "created_at": job.created_at,
        "size": job.size,
        "duration_seconds": measure_duration(job),
        "status": job.status,
        "error": job.error or None,
    }
