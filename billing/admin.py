"""Django's admin of the money tables: read-only, because only `billing.ledger.services` moves credits."""

from django.contrib import admin

from accounts.admin import ActAdmin
from billing.invoices.models import Invoice, InvoiceLine, NumberSeries
from billing.ledger.models import (
    BulkGrant,
    Clawback,
    CreditAccount,
    CreditAdjustment,
    CreditedMailbox,
    CreditEntry,
    CreditHold,
    CreditLot,
    CreditMonth,
    CreditTransfer,
    UsageAlerts,
)
from billing.payments.models import Agreement, Payment, PaymentMethod, ProviderItem, Purchase, Refund
from billing.provider_sync.models import ProviderEvent
from billing.referrals.models import Referral, ReferralCode
from billing.subscriptions.models import Pause, Subscription
from emailcheck.common.admin import ReadOnlyAdmin


class OfAnAccount(ReadOnlyAdmin):
    search_fields = ("organisation__holder__email",)


@admin.register(CreditAccount)
class CreditAccountAdmin(OfAnAccount):
    list_display = ("organisation", "balance", "held", "debt")


@admin.register(CreditLot)
class CreditLotAdmin(OfAnAccount):
    list_display = ("organisation", "kind", "granted", "remaining", "expires_at", "created_at")
    list_filter = ("kind",)


@admin.register(CreditHold)
class CreditHoldAdmin(OfAnAccount):
    list_display = ("organisation", "key", "amount", "captured", "state", "created_at", "closed_at")
    list_filter = ("state",)


@admin.register(CreditEntry)
class CreditEntryAdmin(OfAnAccount):
    list_display = ("organisation", "kind", "amount", "reason", "lot", "created_at")
    list_filter = ("kind",)


@admin.register(Subscription)
class SubscriptionAdmin(OfAnAccount):
    list_display = ("organisation", "plan", "status", "cycle", "started_at", "paid_until", "renews_at")
    list_filter = ("plan", "status")


@admin.register(CreditMonth)
class CreditMonthAdmin(OfAnAccount):
    list_display = ("organisation", "starts_at", "ends_at", "limit", "warned_at", "exceeded_at", "refused_at")


@admin.register(CreditTransfer)
class CreditTransferAdmin(ReadOnlyAdmin):
    search_fields = ("client__public_id", "agency__public_id")
    list_display = ("public_id", "agency", "client", "direction", "credits", "created_at")
    list_select_related = ("agency__holder", "client__holder")
    list_filter = ("direction",)


@admin.register(Clawback)
class ClawbackAdmin(OfAnAccount):
    list_display = ("organisation", "key", "amount", "outstanding", "reason", "created_at")


@admin.register(BulkGrant)
class BulkGrantAdmin(ActAdmin):
    search_fields = ("reference",)
    list_select_related = False
    list_display = ("reference", "done_by", "credits", "reason", "granted_count", "created_at")


@admin.register(CreditAdjustment)
class CreditAdjustmentAdmin(ActAdmin, OfAnAccount):
    list_display = ("organisation", "key", "before", "after", "reason", "done_by", "created_at")


@admin.register(Purchase)
class PurchaseAdmin(OfAnAccount):
    list_display = ("organisation", "public_id", "kind", "state", "amount", "provider_id", "created_at", "done_at")
    list_filter = ("kind", "state")


@admin.register(Agreement)
class AgreementAdmin(OfAnAccount):
    list_select_related = ("organisation__holder",)
    list_display = ("organisation", "provider_id", "plan", "cycle", "price", "state", "next_billing_at")
    list_filter = ("state", "plan")
    exclude = ("lease",)


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    list_select_related = ("organisation__holder",)
    search_fields = ("organisation__holder__email", "provider_id")
    list_display = ("organisation", "provider_id", "kind", "state", "amount", "captured_at", "recorded_at")
    list_filter = ("kind", "state")


@admin.register(Invoice)
class InvoiceAdmin(ActAdmin):
    exclude = ("staff_id", "buyer")  # shown with a reason alone, which is on record
    list_select_related = ("organisation__holder",)
    search_fields = ("organisation__holder__email", "number")
    list_display = ("number", "kind", "organisation", "total", "issued_at", "done_by")
    list_filter = ("kind",)


@admin.register(Refund)
class RefundAdmin(ActAdmin):
    search_fields = ("payment__organisation__holder__email", "provider_id")
    list_display = ("payment", "state", "amount", "done_by", "created_at", "done_at")
    list_filter = ("state",)


@admin.register(PaymentMethod)
class PaymentMethodAdmin(OfAnAccount):
    list_display = ("organisation", "kind", "is_default", "created_at")


@admin.register(CreditedMailbox)
class CreditedMailboxAdmin(ReadOnlyAdmin):
    list_display = ("digest", "organisation_id", "granted_until", "trial_at", "referral_bonus_at", "created_at")
    search_fields = ("=digest", "=organisation_id")


@admin.register(Pause)
class PauseAdmin(OfAnAccount):
    list_display = ("organisation", "starts_at", "ends_at")


@admin.register(UsageAlerts)
class UsageAlertsAdmin(OfAnAccount):
    list_display = ("organisation", "warn_80", "warn_100", "low_balance", "low_sent_at")


@admin.register(ProviderEvent)
class ProviderEventAdmin(ReadOnlyAdmin):
    list_display = ("event_id", "kind", "state", "attempts", "received_at", "error")
    list_filter = ("state",)
    search_fields = ("=event_id", "=resource_id")


@admin.register(ProviderItem)
class ProviderItemAdmin(ReadOnlyAdmin):
    list_display = ("key", "provider_id", "created_at")
    search_fields = ("key", "provider_id")


@admin.register(NumberSeries)
class NumberSeriesAdmin(ReadOnlyAdmin):
    list_display = ("name", "last")
    search_fields = ("name",)


@admin.register(InvoiceLine)
class InvoiceLineAdmin(ReadOnlyAdmin):
    list_display = ("invoice", "position", "description", "quantity", "unit_price", "net")
    list_select_related = ("invoice",)
    search_fields = ("invoice__number",)


@admin.register(ReferralCode)
class ReferralCodeAdmin(ReadOnlyAdmin):
    list_display = ("organisation", "code")
    search_fields = ("organisation__holder__email", "=code")


@admin.register(Referral)
class ReferralAdmin(ReadOnlyAdmin):
    list_display = ("referrer", "friend", "state", "created_at", "referral_bonus_at", "converted_at")
    list_filter = ("state",)
    list_select_related = ("referrer", "friend")
    search_fields = ("referrer__holder__email", "friend__holder__email")
