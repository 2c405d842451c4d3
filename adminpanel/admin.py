"""Jobs in Django's admin: read-only, they are started in the staff area."""

from django.contrib import admin

from accounts.admin import ActAdmin
from adminpanel.jobs.models import Job


@admin.register(Job)
class JobAdmin(ActAdmin):
    list_display = ("public_id", "kind", "status", "created_at", "ended_at", "size", "error", "done_by")
    list_filter = ("kind", "status")
    search_fields = ("=public_id",)
    exclude = ("staff_id", "lease")
