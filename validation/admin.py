"""Django's admin of batches and results: read-only, because the pipeline alone writes them."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from validation.models import Batch, Chunk, Result


class ReadOnlyAdmin(admin.ModelAdmin[Model]):
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "user", "batch_type", "status", "total_emails", "created_at", "completed_at")
    list_filter = ("status", "batch_type")
    search_fields = ("public_id", "filename", "user__email")
    list_select_related = ("user",)


@admin.register(Chunk)
class ChunkAdmin(ReadOnlyAdmin):
    list_display = ("batch", "number", "state", "size", "processed", "attempts", "lease_until")
    list_filter = ("state",)
    search_fields = ("batch__public_id",)
    list_select_related = ("batch",)
    exclude = ("rows",)


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_display = ("email", "category", "reason", "confidence", "user", "created_at")
    list_filter = ("category",)
    search_fields = ("email", "user__email")
    list_select_related = ("user",)
