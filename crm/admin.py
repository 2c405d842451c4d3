"""Django's admin of the sales tables: read-only, because each step is a service."""

from django.contrib import admin

from crm.models import Claim, Contract, Deal, DealEvent, Feedback, Message, Subscriber
from emailcheck.common.admin import ReadOnlyAdmin


@admin.register(Deal)
class DealAdmin(ReadOnlyAdmin):
    search_fields = ("company_name", "contact_email", "contact_name")
    list_display = ("company_name", "contact_email", "value", "stage", "expected_close_date")
    list_filter = ("stage",)


@admin.register(Contract)
class ContractAdmin(ReadOnlyAdmin):
    search_fields = ("company_name", "quote_id")
    list_display = ("company_name", "plan", "value", "starts_on", "ends_on", "auto_renewal", "cancelled_at")


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    search_fields = ("email", "subject")
    list_display = ("subject", "name", "email", "state", "created_at")
    list_filter = ("state",)


@admin.register(Subscriber)
class SubscriberAdmin(ReadOnlyAdmin):
    search_fields = ("email",)
    list_display = ("email", "state", "created_at", "confirmed_at", "unsubscribed_at")
    list_filter = ("state",)


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


@admin.register(DealEvent)
class DealEventAdmin(ReadOnlyAdmin):
    list_display = ("deal", "action", "staff_id", "created_at")
    list_filter = ("action",)
    list_select_related = ("deal",)
    search_fields = ("deal__company_name",)
