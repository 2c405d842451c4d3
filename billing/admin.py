"""Django's admin of the money tables: read-only, because only `billing.services` moves credits."""

from django.contrib import admin

from billing.models import (
    Agreement,
    BulkGrant,
    Clawback,
    CreditAccount,
    CreditAdjustment,
    CreditEntry,
    CreditHold,
    CreditLot,
    CreditMonth,
    Invoice,
    Payment,
    PaymentMethod,
    Purchase,
    Refund,
    Subscription,
)
from emailcheck.common.admin import ReadOnlyAdmin


class OfAnAccount(ReadOnlyAdmin):
    search_fields = ("user__email",)


@admin.register(CreditAccount)
class CreditAccountAdmin(OfAnAccount):
    list_display = ("user", "balance", "held", "debt")


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
    list_display = ("user", "plan", "status", "cycle", "started_at", "paid_until", "renews_at")
    list_filter = ("plan", "status")


@admin.register(CreditMonth)
class CreditMonthAdmin(OfAnAccount):
    list_display = ("user", "starts_at", "ends_at", "limit", "warned_at", "exceeded_at")


@admin.register(Clawback)
class ClawbackAdmin(OfAnAccount):
    list_display = ("user", "key", "amount", "outstanding", "reason", "created_at")


@admin.register(BulkGrant)
class BulkGrantAdmin(ReadOnlyAdmin):
    search_fields = ("reference",)
    list_select_related = False
    list_display = ("reference", "staff_id", "credits", "reason", "granted_count", "created_at")


@admin.register(CreditAdjustment)
class CreditAdjustmentAdmin(OfAnAccount):
    list_display = ("user", "key", "before", "after", "reason", "staff_id", "created_at")


@admin.register(Purchase)
class PurchaseAdmin(OfAnAccount):
    list_display = ("user", "public_id", "kind", "state", "amount", "provider_id", "created_at", "done_at")
    list_filter = ("kind", "state")


@admin.register(Agreement)
class AgreementAdmin(OfAnAccount):
    list_display = ("user", "provider_id", "plan", "cycle", "price", "state", "next_billing_at")
    list_filter = ("state", "plan")


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    search_fields = ("user__email", "provider_id")
    list_display = ("user", "provider_id", "kind", "state", "amount", "created_at", "captured_at")
    list_filter = ("kind", "state")


@admin.register(Invoice)
class InvoiceAdmin(ReadOnlyAdmin):
    search_fields = ("user__email", "number")
    list_display = ("number", "kind", "user", "total", "issued_at")
    list_filter = ("kind",)


@admin.register(Refund)
class RefundAdmin(ReadOnlyAdmin):
    search_fields = ("payment__user__email", "provider_id")
    list_display = ("payment", "state", "amount", "staff_id", "created_at", "done_at")
    list_filter = ("state",)


@admin.register(PaymentMethod)
class PaymentMethodAdmin(OfAnAccount):
    list_display = ("user", "kind", "is_default", "created_at")
