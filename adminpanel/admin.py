"""Django's admin of long work: read-only, it is begun in the staff area."""

from django.contrib import admin

from adminpanel.models import Job
from emailcheck.common.admin import ReadOnlyAdmin


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "kind", "status", "created_at", "ended_at", "size", "error")
    list_filter = ("kind", "status")
    search_fields = ("=public_id",)
    exclude = ("lease",)
