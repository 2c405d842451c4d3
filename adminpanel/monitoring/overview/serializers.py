"""Shapes of the figures of monitoring."""

from rest_framework import serializers

from adminpanel.monitoring.alerts.models import Severity
from emailcheck.common.api.serializers import Shape

HEALTH = ("healthy", "warning", "error")
PART_STATES = ("operational", "degraded", "down", "no_data", "not_configured")


class SystemFiguresSerializer(Shape):
    memory_percent = serializers.FloatField()
    memory_available_gb = serializers.FloatField()
    cpu_percent = serializers.FloatField()
    disk_percent = serializers.FloatField()
    disk_available_gb = serializers.FloatField()
    uptime_hours = serializers.FloatField(help_text="Since the process that answers was started.")


class ApplicationFiguresSerializer(Shape):
    total_requests = serializers.IntegerField(help_text="Of the last hour, as the other figures.")
    error_rate = serializers.FloatField(help_text="Percent that failed by our own fault.")
    avg_response_time = serializers.FloatField(help_text="Milliseconds, without waiting for mail hosts.")
    active_requests = serializers.IntegerField(help_text="Being answered now, this one included.")


class BriefAlertSerializer(Shape):
    severity = serializers.ChoiceField(choices=Severity.choices)
    category = serializers.CharField()
    timestamp = serializers.DateTimeField()


class HealthSerializer(Shape):
    status = serializers.ChoiceField(choices=HEALTH)
    system = SystemFiguresSerializer()
    application = ApplicationFiguresSerializer()
    alerts = BriefAlertSerializer(many=True)


class AlertSerializer(Shape):
    id = serializers.CharField()
    severity = serializers.ChoiceField(choices=Severity.choices)
    title = serializers.CharField()
    message = serializers.CharField()
    timestamp = serializers.DateTimeField(help_text="When it was raised.")
    category = serializers.CharField()


class AlertSummarySerializer(Shape):
    total = serializers.IntegerField()
    critical = serializers.IntegerField()
    warning = serializers.IntegerField()


class AlertsSerializer(Shape):
    alerts = AlertSerializer(many=True, help_text="The first ten: the gravest first, of those the newest.")
    summary = AlertSummarySerializer()


class GroupFiguresSerializer(Shape):
    name = serializers.CharField()
    requests = serializers.IntegerField()
    error_rate = serializers.FloatField()
    avg_response_time = serializers.FloatField()
    p95_ms = serializers.FloatField(allow_null=True)


class QueueLengthSerializer(Shape):
    name = serializers.CharField()
    waiting = serializers.IntegerField()
    oldest_seconds = serializers.IntegerField()


class WorkFiguresSerializer(Shape):
    rows = serializers.IntegerField()
    chunks = serializers.IntegerField()
    seconds_per_chunk = serializers.FloatField()


class MonitoringOverviewSerializer(Shape):
    total_requests = serializers.IntegerField(help_text="Of the last hour, as the other figures.")
    error_rate = serializers.FloatField()
    avg_response_time = serializers.FloatField()
    requests_per_minute = serializers.FloatField()
    uptime_hours = serializers.FloatField()
    status = serializers.ChoiceField(choices=HEALTH)
    p50_ms = serializers.FloatField(allow_null=True)
    p95_ms = serializers.FloatField(allow_null=True)
    p99_ms = serializers.FloatField(allow_null=True)
    uptime_percent = serializers.FloatField(allow_null=True, help_text="Of the API's probes in the last 24 hours.")
    groups = GroupFiguresSerializer(many=True)
    queues = QueueLengthSerializer(many=True)
    work = WorkFiguresSerializer(help_text="Lists, in the last hour.")


class SystemInfoSerializer(Shape):
    python_version = serializers.CharField()
    platform = serializers.CharField()
    memory_total_gb = serializers.FloatField()


class MetricsSerializer(Shape):
    overview = MonitoringOverviewSerializer()
    system_info = SystemInfoSerializer()


class ApiErrorSerializer(Shape):
    timestamp = serializers.DateTimeField()
    error = serializers.CharField()
    email = serializers.CharField(allow_null=True, help_text="The calling account, masked.")
    severity = serializers.ChoiceField(choices=Severity.choices)


_PERFORMANCE = {
    "time": serializers.DateTimeField(),
    "avg_response": serializers.FloatField(help_text="Milliseconds."),
    "requests": serializers.IntegerField(),
    "errors": serializers.IntegerField(),
}
PerformanceSerializer = type("PerformanceSerializer", (Shape,), _PERFORMANCE)  # `errors` is a word of serializers


class PartSerializer(Shape):
    status = serializers.ChoiceField(choices=PART_STATES)
    response_ms = serializers.FloatField(allow_null=True)
    checked_at = serializers.DateTimeField(allow_null=True)


class PartsSerializer(Shape):
    validation = PartSerializer()
    database = PartSerializer()
    payment = PartSerializer()


_API_HEALTH = {
    "uptime": serializers.FloatField(allow_null=True, help_text="Percent of the probes of the last 24 hours."),
    "totalValidations": serializers.IntegerField(),
    "successRate": serializers.FloatField(allow_null=True, help_text="Percent of the calls of the last 24 hours."),
    "avgResponseTime": serializers.FloatField(allow_null=True, help_text="Milliseconds, of the last 24 hours."),
    "errorRate": serializers.FloatField(allow_null=True),
    "dailyVolume": serializers.IntegerField(help_text="Calls since midnight UTC."),
    "recentErrors": ApiErrorSerializer(many=True),
    "performanceData": PerformanceSerializer(many=True, help_text="Steps of 15 minutes of the last day."),
    "services": PartsSerializer(),
}
ApiHealthSerializer = type("ApiHealthSerializer", (Shape,), _API_HEALTH)  # names in camel case are no names of our own
