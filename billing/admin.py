"""Django's admin of the money tables: read-only, because only `billing.services` moves credits."""

from django.contrib import admin

from billing.models import CreditAccount, CreditEntry, CreditHold, CreditLot, Subscription
from emailcheck.common.admin import ReadOnlyAdmin


class OfAnAccount(ReadOnlyAdmin):
    search_fields = ("user__email",)


@admin.register(CreditAccount)
class CreditAccountAdmin(OfAnAccount):
    list_display = ("user", "balance", "held")


@admin.register(CreditLot)
class CreditLotAdmin(OfAnAccount):
    list_display = ("user", "kind", "granted", "remaining", "expires_at", "created_at")
    list_filter = ("kind",)


@admin.register(CreditHold)
class CreditHoldAdmin(OfAnAccount):
    list_display = ("user", "key", "amount", "captured", "state", "created_at", "settled_at")
    list_filter = ("state",)


@admin.register(CreditEntry)
class CreditEntryAdmin(OfAnAccount):
    list_display = ("user", "kind", "amount", "reason", "lot", "created_at")
    list_filter = ("kind",)


@admin.register(Subscription)
class SubscriptionAdmin(OfAnAccount):
    list_display = ("user", "plan", "started_at")
    list_filter = ("plan",)
