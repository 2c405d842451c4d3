"""Django's admin of tables that only services write, those of the queue among them."""

from functools import cached_property
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest
from django_q.models import Failure, OrmQ, Schedule, Success

from emailcheck.common.api.models import IdempotentCall
from emailcheck.common.files.models import PendingDeletion
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.queue.models import RestartRequest, WorkerHeartbeat
from emailcheck.common.shared_state.models import Machine

_COUNTED = 100_000


class BoundedPaginator(Paginator[Any]):
    """Counts rows up to a bound: counting all of a large table takes seconds, and no reader needs so many pages."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[:_COUNTED].count())


class ReadOnlyAdmin(admin.ModelAdmin[Model]):
    """A read-only admin."""

    paginator = BoundedPaginator
    show_full_result_count = False
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


# The queue calls any function that its tables name: writing there would mean owning the server.
for _model in (Failure, OrmQ, Schedule, Success):
    admin.site.unregister(_model)


@admin.register(Failure, Success)
class TaskAdmin(ReadOnlyAdmin):
    """Arguments and results of tasks may contain customers' data, and are hidden; the log says why one failed."""

    list_display = ("name", "func", "cluster", "started", "stopped")
    list_filter = ("func", "cluster")
    search_fields = ("name", "func")
    exclude = ("args", "kwargs", "result")


@admin.register(Schedule)
class ScheduleAdmin(ReadOnlyAdmin):
    list_display = ("name", "func", "minutes", "next_run")
    search_fields = ("name",)


@admin.register(OrmQ)
class QueueAdmin(ReadOnlyAdmin):
    list_display = ("key", "func", "lock")
    list_filter = ("key",)
    search_fields = ("key",)
    exclude = ("payload",)


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    """What was changed by hand in this admin."""

    list_display = ("action_time", "user", "content_type", "object_id", "action_flag")
    list_filter = ("action_flag",)
    list_select_related = ("user", "content_type")
    search_fields = ("user__email", "=object_id")


@admin.register(WorkerHeartbeat)
class WorkerHeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("host", "queue", "started_at", "seen_at", "reported_at")
    list_filter = ("queue",)
    search_fields = ("host",)


@admin.register(RestartRequest)
class RestartRequestAdmin(ReadOnlyAdmin):
    list_display = ("id", "asked_at")
    search_fields = ("=id",)


@admin.register(IdempotentCall)
class IdempotentCallAdmin(ReadOnlyAdmin):
    list_display = ("user_id", "key", "status", "created_at")
    list_filter = ("status",)
    search_fields = ("=key", "=user_id")
    exclude = ("body",)


@admin.register(Machine)
class MachineAdmin(ReadOnlyAdmin):
    list_display = ("host", "running_at", "files_at", "has_redis", "joined_at", "seen_at", "reaches_redis")
    search_fields = ("host",)


@admin.register(OutgoingMail)
class OutgoingMailAdmin(ReadOnlyAdmin):
    list_display = ("name", "attempts", "created_at", "next_try_at", "sent_at")
    list_filter = ("name",)
    search_fields = ("name",)
    exclude = ("sealed", "lease")


@admin.register(PendingDeletion)
class PendingDeletionAdmin(ReadOnlyAdmin):
    """Files that are not gone yet."""

    list_display = ("name", "since", "tries", "error")
    search_fields = ("name",)
