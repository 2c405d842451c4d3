"""Django's admin of the money tables: read-only, because only `billing.services` moves credits."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from billing.models import CreditAccount, CreditEntry, CreditHold, CreditLot, Subscription


class ReadOnlyAdmin(admin.ModelAdmin[Model]):
    search_fields = ("user__email",)
    list_select_related = ("user",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(CreditAccount)
class CreditAccountAdmin(ReadOnlyAdmin):
    list_display = ("user", "balance", "held")


@admin.register(CreditLot)
class CreditLotAdmin(ReadOnlyAdmin):
    list_display = ("user", "kind", "granted", "remaining", "expires_at", "created_at")
    list_filter = ("kind",)


@admin.register(CreditHold)
class CreditHoldAdmin(ReadOnlyAdmin):
    list_display = ("user", "key", "amount", "captured", "state", "created_at", "settled_at")
    list_filter = ("state",)


@admin.register(CreditEntry)
class CreditEntryAdmin(ReadOnlyAdmin):
    list_display = ("user", "kind", "amount", "reason", "lot", "created_at")
    list_filter = ("kind",)


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnlyAdmin):
    list_display = ("user", "plan", "started_at")
    list_filter = ("plan",)
