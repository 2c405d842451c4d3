"""Django's admin of what was measured, read-only; incidents are written in the staff area, which notes each change."""

from django.contrib import admin

from adminpanel.monitoring.alerts.models import Alert
from adminpanel.monitoring.egress.models import Route, RouteSample
from adminpanel.monitoring.incidents.models import Incident
from adminpanel.monitoring.measurements.models import MachineSample, RequestFailure, RequestSample
from adminpanel.monitoring.probes.models import ProbeDay, ProbeSample
from adminpanel.monitoring.routines.models import RoutineResult
from emailcheck.common.admin import ReadOnlyAdmin


@admin.register(Incident)
class IncidentAdmin(ReadOnlyAdmin):
    search_fields = ("title", "note")
    list_display = ("title", "kind", "services", "started_at", "ended_at", "opened_by_probes")
    list_filter = ("kind", "opened_by_probes")


@admin.register(Alert)
class AlertAdmin(ReadOnlyAdmin):
    search_fields = ("title", "key")
    list_display = ("title", "severity", "category", "raised_at", "cleared_at")
    list_filter = ("severity", "category")


@admin.register(RequestSample)
class RequestSampleAdmin(ReadOnlyAdmin):
    list_display = ("at", "machine", "group", "requests", "refused", "failed", "time_ms")
    list_filter = ("group",)


@admin.register(RequestFailure)
class RequestFailureAdmin(ReadOnlyAdmin):
    search_fields = ("description", "request_id")
    list_display = ("at", "description", "status", "user_id", "request_id")
    list_filter = ("status",)


@admin.register(MachineSample)
class MachineSampleAdmin(ReadOnlyAdmin):
    list_display = ("at", "machine", "cpu_percent", "memory_percent", "disk_percent", "active_requests", "rows")


@admin.register(ProbeSample)
class ProbeSampleAdmin(ReadOnlyAdmin):
    list_display = ("at", "target", "state", "took_ms", "detail", "in_maintenance")
    list_filter = ("target", "state")


@admin.register(ProbeDay)
class ProbeDayAdmin(ReadOnlyAdmin):
    list_display = ("date", "target", "samples", "up")
    list_filter = ("target",)


@admin.register(Route)
class RouteAdmin(ReadOnlyAdmin):
    list_display = ("route", "operator", "state", "last_refusal", "next_attempt_at", "seen_at")
    list_filter = ("state", "operator")


@admin.register(RouteSample)
class RouteSampleAdmin(ReadOnlyAdmin):
    list_display = ("at", "route", "operator", "probes", "refusals")
    list_filter = ("operator",)


@admin.register(RoutineResult)
class RoutineResultAdmin(ReadOnlyAdmin):
    list_display = ("name", "ended_at", "problems", "note")
