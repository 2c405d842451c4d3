"""Django's admin of batches and results: read-only, because only the pipeline writes them.

The addresses of lists belong to the customers: no page shows one, and no search finds one. The staff area shows those
of one list after a reason that the customer reads (`adminpanel.customers.list_addresses`).
"""

from django.contrib import admin

from accounts.admin import ActAdmin
from emailcheck.common.admin import ReadOnlyAdmin
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch
from validation.batches.samples.models import Sample
from validation.batches.uploads.models import Upload
from validation.daily.models import Day, DayOfAll
from validation.egress.models import EgressAddress
from validation.first_hour.models import FirstHour
from validation.providers.models import ProviderDay, ProviderMonth, ProviderState, Question
from validation.results.models import Evidence, RepairedAddress, Result
from validation.verifier.models import DomainMemory
from validation.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery, WebhookHost, WebhookSecret


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "organisation", "batch_type", "status", "total_emails", "created_at", "completed_at")
    list_filter = ("status", "batch_type")
    search_fields = ("public_id", "filename", "organisation__holder__email")
    exclude = ("content_hash",)


@admin.register(Chunk)
class ChunkAdmin(ReadOnlyAdmin):
    list_display = ("batch", "number", "state", "size", "processed", "attempts", "lease_until")
    list_filter = ("state",)
    search_fields = ("batch__public_id",)
    list_select_related = ("batch",)
    exclude = ("rows", "engine_verdicts", "latest_replies", "lease")


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_select_related = ("organisation__holder",)
    list_display = ("id", "position", "category", "reason", "confidence", "organisation", "created_at")
    list_filter = ("category",)
    search_fields = ("organisation__holder__email", "=batch__public_id")
    exclude = ("email", "address", "domain", "sentence", "details")


@admin.register(Upload)
class UploadAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "organisation", "filename", "rows", "possible", "created_at", "expires_at")
    list_select_related = ("organisation__holder",)
    search_fields = ("=public_id", "organisation__holder__email", "filename")
    exclude = ("options", "shape", "content_hash")


@admin.register(Day)
class DayAdmin(ReadOnlyAdmin):
    list_display = ("date", "organisation", "source", "processed", "valid_count", "invalid_count", "unknown_count")
    list_filter = ("source",)
    list_select_related = ("organisation__holder",)
    search_fields = ("organisation__holder__email",)


@admin.register(DayOfAll)
class DayOfAllAdmin(ReadOnlyAdmin):
    list_display = ("date", "shard", "processed", "valid_count", "invalid_count", "unknown_count")
    search_fields = ("=date",)


@admin.register(FirstHour)
class FirstHourAdmin(ReadOnlyAdmin):
    list_display = ("organisation", "key", "call", "webhook", "list")
    list_select_related = ("organisation__holder",)
    search_fields = ("organisation__holder__email",)


@admin.register(ProviderState)
class ProviderStateAdmin(ReadOnlyAdmin):
    list_display = (
        "name",
        "enabled",
        "daily_budget",
        "failures",
        "not_before",
        "breaker_reason",
        "balance",
        "balance_at",
    )
    search_fields = ("name",)


@admin.register(ProviderDay)
class ProviderDayAdmin(ReadOnlyAdmin):
    list_display = ("date", "provider", "calls", "spent", "answers", "hits", "disagreements", "failures")
    list_filter = ("provider",)
    search_fields = ("provider",)


@admin.register(ProviderMonth)
class ProviderMonthAdmin(ReadOnlyAdmin):
    list_display = ("month", "organisation", "questions")
    list_select_related = ("organisation__holder",)
    search_fields = ("organisation__holder__email",)


@admin.register(Question)
class QuestionAdmin(ReadOnlyAdmin):
    list_display = ("asked_at", "subject", "provider", "state", "attempts")
    list_filter = ("provider", "state")
    search_fields = ("=subject",)
    exclude = ("answer", "error", "lease")


@admin.register(RepairedAddress)
class RepairedAddressAdmin(ReadOnlyAdmin):
    """What a customer handed in is shown with the result alone."""

    list_display = ("id", "batch", "position", "kinds")
    list_select_related = ("batch",)
    search_fields = ("=batch__public_id",)
    exclude = ("source", "source_key")


@admin.register(Sample)
class SampleAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "organisation", "unique", "size", "ended_at")
    list_select_related = ("organisation__holder",)
    search_fields = ("organisation__holder__email",)
    exclude = ("verdicts", "content_hash", "lease")


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    """Pages hold the addresses of many rows; the evidence of one row is shown with its result."""

    list_display = ("id", "batch")
    list_select_related = ("batch",)
    search_fields = ("=batch__public_id",)
    exclude = ("rows",)


@admin.register(DomainMemory)
class DomainMemoryAdmin(ReadOnlyAdmin):
    list_display = ("domain", "accepts_all", "reply", "expires_at")
    list_filter = ("accepts_all",)
    search_fields = ("domain",)


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    list_display = ("organisation", "url", "is_active", "failing_since", "disabled_reason", "created_at", "deleted_at")
    list_filter = ("is_active",)
    list_select_related = ("organisation__holder",)
    search_fields = ("organisation__holder__email", "url")


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnlyAdmin):
    """The payload holds customers' addresses and is not shown."""

    list_display = ("public_id", "webhook", "event", "status", "attempts", "next_attempt_at", "created_at")
    list_filter = ("status", "event")
    list_select_related = ("webhook",)
    search_fields = ("=public_id", "=message_id", "webhook__organisation__holder__email")
    exclude = ("body", "lease", "request_headers")


@admin.register(WebhookAttempt)
class WebhookAttemptAdmin(ReadOnlyAdmin):
    list_display = ("delivery", "at", "status", "duration_ms")
    list_select_related = ("delivery",)
    search_fields = ("=delivery__public_id",)
    exclude = ("response_body", "error")


@admin.register(WebhookHost)
class WebhookHostAdmin(ReadOnlyAdmin):
    list_display = ("name",)
    search_fields = ("name",)


@admin.register(WebhookSecret)
class WebhookSecretAdmin(ReadOnlyAdmin):
    list_display = ("webhook", "valid_until", "created_at")
    list_select_related = ("webhook",)
    search_fields = ("webhook__organisation__holder__email",)
    exclude = ("sealed",)


@admin.register(EgressAddress)
class EgressAddressAdmin(ActAdmin):
    list_display = ("name", "key", "helo", "state", "added_at", "warms_since", "seen_at", "changed_at", "done_by")
    search_fields = ("name", "key", "helo")
    list_filter = ("state",)
