"""Django's admin of tables that only services write, those of the queue among them."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django_q.models import Failure, OrmQ, Schedule, Success


class ReadOnlyAdmin(admin.ModelAdmin[Model]):
    """Staff look, nobody writes."""

    show_full_result_count = False
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


# The queue calls whatever function its tables name: who may write there, owns the server.
for _model in (Failure, OrmQ, Schedule, Success):
    admin.site.unregister(_model)


@admin.register(Failure, Success)
class TaskAdmin(ReadOnlyAdmin):
    list_display = ("name", "func", "cluster", "started", "stopped")
    list_filter = ("func", "cluster")


@admin.register(Schedule)
class ScheduleAdmin(ReadOnlyAdmin):
    list_display = ("name", "func", "minutes", "next_run")


@admin.register(OrmQ)
class QueueAdmin(ReadOnlyAdmin):
    list_display = ("key", "func", "lock")
