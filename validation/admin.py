"""Django's admin of batches and results: read-only, because the pipeline alone writes them."""

from django.contrib import admin

from emailcheck.common.admin import ReadOnlyAdmin
from validation.models import Batch, Chunk, Result


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "user", "batch_type", "status", "total_emails", "created_at", "completed_at")
    list_filter = ("status", "batch_type")
    search_fields = ("public_id", "filename", "user__email")


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
