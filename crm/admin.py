"""Django's admin of the sales tables: read-only, because each step is a service."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.admin import ActAdmin
from crm.claims.models import Claim
from crm.contracts import services as contracts
from crm.contracts.models import Contract, ContractStatus
from crm.deals.models import Deal, DealEvent
from crm.messages.models import Feedback, Message, Subscriber
from emailcheck.common.admin import ReadOnlyAdmin


class StatusFilter(admin.SimpleListFilter):
    """Contracts by what their dates say today."""

    title = "status"
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(status.value, str(status.label)) for status in ContractStatus]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        choice = self.value()
        if choice not in ContractStatus.values:
            return queryset
        return queryset.filter(contracts.filter_status(ContractStatus(choice), timezone.now().date()))


@admin.register(Deal)
class DealAdmin(ReadOnlyAdmin):
    search_fields = ("company_name", "contact_email", "contact_name", "notes")
    list_display = ("company_name", "contact_email", "value", "stage", "expected_close_date", "last_contact_at")
    list_filter = ("stage", "expected_close_date")
    ordering = ("-pk",)


@admin.register(DealEvent)
class DealEventAdmin(ActAdmin):
    search_fields = ("deal__company_name", "text")
    list_display = ("created_at", "deal", "action", "text", "done_by")
    list_filter = ("action", "created_at")
    list_select_related = ("deal",)
    ordering = ("-pk",)


@admin.register(Contract)
class ContractAdmin(ReadOnlyAdmin):
    search_fields = ("company_name", "plan", "quote_id", "deal__contact_email")
    list_display = ("company_name", "plan", "value", "starts_on", "ends_on", "status_today", "auto_renewal")
    list_filter = (StatusFilter, "auto_renewal", "ends_on")
    ordering = ("ends_on", "pk")

    @admin.display(description="status")
    def status_today(self, contract: Contract) -> str:
        return str(contract.status(timezone.now().date()).label)


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    search_fields = ("email", "name", "subject", "text")
    list_display = ("subject", "name", "email", "state", "deal", "created_at")
    list_filter = ("state", "created_at")
    list_select_related = ("deal",)
    ordering = ("-pk",)


@admin.register(Subscriber)
class SubscriberAdmin(ReadOnlyAdmin):
    search_fields = ("email",)
    list_display = ("email", "state", "created_at", "confirmed_at", "unsubscribed_at")
    list_filter = ("state", "created_at")
    ordering = ("-pk",)


@admin.register(Feedback)
class FeedbackAdmin(ReadOnlyAdmin):
    list_select_related = ("user",)
    search_fields = ("context", "text", "user__email")
    list_display = ("context", "rating", "user", "created_at")
    list_filter = ("rating",)


@admin.register(Claim)
class ClaimAdmin(ReadOnlyAdmin):
    search_fields = ("key", "value")
    list_display = ("key", "value", "as_of", "shown", "confirmed")
