"""Shapes of the staff calls that run the system."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from accounts.activity import actors
from accounts.activity.models import Activity, ActivityKind
from adminpanel.jobs.models import Job, JobStatus
from adminpanel.jobs.services import measure_duration
from adminpanel.system.stuck_work import KINDS
from emailcheck.common.api.serializers import Shape
from emailcheck.common.logs.store import LEVELS
from emailcheck.common.outbound import mail
from emailcheck.common.queue.stuck_tasks import StuckWork


class PageQuerySerializer(Shape):
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=254)
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class LogsQuerySerializer(PageQuerySerializer):
    level = serializers.ChoiceField(choices=LEVELS, required=False, default="", allow_blank=True)


class ActivityQuerySerializer(PageQuerySerializer):
    kind = serializers.ChoiceField(choices=ActivityKind.choices, required=False, default="", allow_blank=True)


class LogLineSerializer(Shape):
    timestamp = serializers.DateTimeField()
    level = serializers.ChoiceField(choices=LEVELS)
    message = serializers.CharField()


class LogsSerializer(Shape):
    logs = LogLineSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    stored_from = serializers.CharField(help_text="The lowest level that is kept (`LOG_STORE_LEVEL`).")


class UserLogSerializer(Shape):
    timestamp = serializers.DateTimeField()
    user = serializers.CharField(help_text="Who did it.")
    action = serializers.CharField()
    ip = serializers.CharField(allow_null=True)


class UserLogsSerializer(Shape):
    activity = UserLogSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class DatabaseStatsSerializer(Shape):
    connections = serializers.IntegerField()
    size = serializers.CharField()


class ServerStatsSerializer(Shape):
    cpu = serializers.FloatField(help_text="Percent.")
    memory = serializers.FloatField(help_text="Percent.")
    uptime = serializers.CharField(help_text="Of the web process.")


class UserStatsSerializer(Shape):
    total = serializers.IntegerField()
    active = serializers.IntegerField(help_text="Not suspended.")
    new_today = serializers.IntegerField(help_text="Since midnight UTC.")


class ApiStatsSerializer(Shape):
    requests_today = serializers.IntegerField(help_text="Since midnight UTC.")
    avg_response = serializers.FloatField(help_text="Milliseconds, without the time spent at mail hosts.")

    def get_fields(self) -> dict[str, Any]:
        """`errors` is an attribute of serializers."""
        failed = serializers.IntegerField(help_text="Calls that failed by our own fault (5xx).")
        return {**super().get_fields(), "errors": failed}


class AtAGlanceSerializer(Shape):
    database = DatabaseStatsSerializer()
    server = ServerStatsSerializer()
    users = UserStatsSerializer()
    api = ApiStatsSerializer()


class SystemStatsSerializer(Shape):
    stats = AtAGlanceSerializer()

    def get_fields(self) -> dict[str, Any]:
        """These names are those of the call, not ours."""
        logs = {"userLogs": UserLogSerializer(many=True), "systemLogs": LogLineSerializer(many=True)}
        return {**super().get_fields(), **logs}


class ActionDoneSerializer(Shape):
    message = serializers.CharField()
    task_id = serializers.CharField(allow_null=True)


class WorkersSerializer(Shape):
    """The workers of a queue on one machine."""

    host = serializers.CharField(help_text="The machine's name.")
    queue = serializers.CharField()
    started_at = serializers.DateTimeField(help_text="When the oldest of them was started.")
    seen_at = serializers.DateTimeField(help_text="When the one silent for longest last showed that it works.")
    reported_at = serializers.DateTimeField(help_text="When the machine last reported them.")


class OptimisationSerializer(Shape):
    created_at = serializers.DateTimeField()
    duration_seconds = serializers.FloatField()
    status = serializers.ChoiceField(choices=JobStatus.choices)
    note = serializers.CharField(allow_null=True)
    error = serializers.CharField(allow_null=True)


class ServicesSerializer(Shape):
    workers = WorkersSerializer(many=True)
    restart_asked_at = serializers.DateTimeField(allow_null=True)
    optimisation = OptimisationSerializer(allow_null=True, help_text="The last one.")


def present_user_logs(lines: list[Activity]) -> list[dict[str, Any]]:
    """What happened, by whom: staff for what they did to others."""
    return [
        {"timestamp": line.created_at, "user": staff or _describe_actor(line), "action": line.action, "ip": line.ip}
        for line, staff in zip(lines, actors.format_actors(lines), strict=True)
    ]


def present_optimisation(job: Job | None) -> dict[str, Any] | None:
    if job is None:
        return None
    return {
        "created_at": job.created_at,
        "duration_seconds": measure_duration(job),
        "status": job.status,
        "note": job.note or None,
        "error": job.error or None,
    }


def _describe_actor(line: Activity) -> str:
    if line.kind == ActivityKind.STAFF:
        return "server"
    return line.user.email if line.user else "deleted account"


class AuditQuerySerializer(Shape):
    user = serializers.CharField(required=False, default="", allow_blank=True, max_length=254)
    action = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    to = serializers.DateField(required=False, default=None, help_text="The last day, in UTC.")
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python."""
        begin = serializers.DateField(required=False, default=None, source="since", help_text="The first day, in UTC.")
        return {**super().get_fields(), "from": begin}


class AuditEntrySerializer(Shape):
    time = serializers.DateTimeField()
    user = serializers.CharField(help_text="Who did it.")
    action = serializers.CharField()
    target = serializers.CharField()
    changes = serializers.DictField(help_text="Each changed field with its value before and after.")
    ip = serializers.CharField(allow_null=True)


class AuditSerializer(Shape):
    entries = AuditEntrySerializer(many=True)
    next = serializers.CharField(allow_null=True)


def present_entry(line: Activity, who: str | None) -> dict[str, Any]:
    """A line of the audit, and who did it; None is the server itself."""
    return {
        "time": line.created_at,
        "user": who or "server",
        "action": line.action,
        "target": line.target,
        "changes": line.changes,
        "ip": line.ip,
    }


class EmailSerializer(Shape):
    name = serializers.CharField()
    subject = serializers.CharField()
    always_sent = serializers.BooleanField()


class EmailsSerializer(Shape):
    emails = EmailSerializer(many=True)


class EmailPreviewSerializer(Shape):
    subject = serializers.CharField()
    html = serializers.CharField()
    text = serializers.CharField()


def present_email(kind: mail.MailKind) -> dict[str, Any]:
    written = mail.render_example(kind.name)
    assert written is not None
    return {"name": kind.name, "subject": written.subject, "always_sent": kind.always_sent}


class WorkQuerySerializer(Shape):
    kind = serializers.ChoiceField(choices=KINDS, required=False, default="", allow_blank=True)


class StuckPieceSerializer(Shape):
    kind = serializers.ChoiceField(choices=KINDS)
    id = serializers.CharField()
    age_seconds = serializers.IntegerField(help_text="Since it moved last, or should have.")
    attempts = serializers.IntegerField()
    error = serializers.CharField(allow_null=True)
    state = serializers.CharField()


class StuckWorkSerializer(Shape):
    work = StuckPieceSerializer(many=True)


class WorkDoneSerializer(Shape):
    message = serializers.CharField()


def present_work(found: StuckWork) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "id": found.id,
        "age_seconds": max(0, round((timezone.now() - found.since).total_seconds())),
        "attempts": found.attempts,
        "error": found.error,
        "state": found.state,
    }
