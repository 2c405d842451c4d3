"""Shapes of the calls about monitoring and the status page."""

from typing import Any

from rest_framework import serializers

from adminpanel.monitoring.models import IncidentKind, RouteState, Service, Severity
from adminpanel.monitoring.status import HISTORY_DAYS
from validation.egress_models import EgressUse

Shape = serializers.Serializer[dict[str, Any]]
HEALTH = ("healthy", "warning", "error")
PUBLIC_STATES = ("operational", "degraded", "down", "maintenance")
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


class WarmUpSerializer(Shape):
    day = serializers.IntegerField(help_text="The first is 1.")
    days = serializers.IntegerField()
    share = serializers.FloatField(help_text="Of the operator's limits, up to 1.")


class RouteSerializer(Shape):
    route = serializers.CharField()
    operator = serializers.CharField()
    operator_name = serializers.CharField(help_text="As people write it.")
    egress_id = serializers.IntegerField(allow_null=True, help_text="Of the egress address that the route is.")
    state = serializers.ChoiceField(choices=RouteState.choices)
    probes_minute = serializers.IntegerField(help_text="Recipients that were answered in the last 60 seconds.")
    rate_limit = serializers.IntegerField(
        allow_null=True, help_text="Recipients a minute, with the warm-up of today. null: only the host itself limits."
    )
    sessions_limit = serializers.IntegerField(allow_null=True, help_text="Connections at once. null: by each host.")
    warm_up = WarmUpSerializer(allow_null=True, help_text="null: the address is warm.")
    probes_hour = serializers.IntegerField()
    refusals_hour = serializers.IntegerField()
    probes_day = serializers.IntegerField()
    refusals_day = serializers.IntegerField()
    last_refusal = serializers.CharField(allow_null=True)
    refused_at = serializers.DateTimeField(allow_null=True, help_text="When the last refusal was.")
    next_attempt_at = serializers.DateTimeField(allow_null=True, help_text="Until when the operator is left alone.")


class EgressSerializer(Shape):
    id = serializers.IntegerField()
    name = serializers.CharField(help_text="As routes and evidence call it.")
    address = serializers.CharField(help_text="Source address, or proxy without its password.")
    helo = serializers.CharField()
    state = serializers.ChoiceField(choices=EgressUse.choices, help_text="What staff decided about it.")
    configured = serializers.BooleanField(help_text="Some process has it among its VERIFIER_ROUTES.")
    last = serializers.BooleanField(help_text="It works, and no other does: it cannot be taken away.")
    probes_minute = serializers.IntegerField(help_text="Recipients that were answered in the last 60 seconds.")
    added_at = serializers.DateTimeField()
    warms_since = serializers.DateTimeField(allow_null=True, help_text="null: it is warm at every operator.")
    note = serializers.CharField(allow_null=True, help_text="Why its state was changed.")
    changed_at = serializers.DateTimeField(allow_null=True)


class RoutesSerializer(Shape):
    routes = RouteSerializer(many=True)
    egress = EgressSerializer(many=True, help_text="Those that work first; then those that were removed.")


class EgressReasonSerializer(Shape):
    reason = serializers.CharField(max_length=200)


class OneEgressSerializer(Shape):
    egress = EgressSerializer()


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


class StatusServiceSerializer(Shape):
    name = serializers.ChoiceField(choices=Service.choices)
    status = serializers.ChoiceField(
        choices=PUBLIC_STATES, allow_null=True, help_text="null: nobody has looked lately."
    )
    uptime = serializers.FloatField(allow_null=True, help_text="Percent of the probes of the last 90 days.")
    response_ms = serializers.FloatField(allow_null=True)


class StatusIncidentSerializer(Shape):
    title = serializers.CharField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class StatusSerializer(Shape):
    overall = serializers.CharField()
    services = StatusServiceSerializer(many=True)
    incidents = StatusIncidentSerializer(many=True)
    checked_at = serializers.DateTimeField(allow_null=True)


class HistoryQuerySerializer(Shape):
    days = serializers.IntegerField(required=False, default=HISTORY_DAYS, min_value=1, max_value=HISTORY_DAYS)


class StatusDaySerializer(Shape):
    date = serializers.DateField()
    uptime = serializers.FloatField(allow_null=True)


class ServiceHistorySerializer(Shape):
    name = serializers.ChoiceField(choices=Service.choices)
    days = StatusDaySerializer(many=True)


class ToldIncidentSerializer(StatusIncidentSerializer):
    kind = serializers.ChoiceField(choices=IncidentKind.choices)
    note = serializers.CharField(allow_blank=True)


class StatusHistorySerializer(Shape):
    services = ServiceHistorySerializer(many=True)
    incidents = ToldIncidentSerializer(many=True)


class IncidentChangeSerializer(Shape):
    title = serializers.CharField(max_length=120)
    services = serializers.ListField(child=serializers.ChoiceField(choices=Service.choices), allow_empty=False)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(required=False, allow_null=True)
    note = serializers.CharField(required=False, allow_blank=True, max_length=4_000)


class NewIncidentSerializer(IncidentChangeSerializer):
    kind = serializers.ChoiceField(choices=IncidentKind.choices)


class IncidentSerializer(Shape):
    id = serializers.IntegerField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=IncidentKind.choices)
    services = serializers.ListField(child=serializers.ChoiceField(choices=Service.choices))
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    note = serializers.CharField(allow_blank=True)


class IncidentsSerializer(Shape):
    incidents = IncidentSerializer(many=True)


class OneIncidentSerializer(Shape):
    incident = IncidentSerializer()
