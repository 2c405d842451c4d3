"""Django's admin of quotes: read-only, because each step of a quote is a service."""

from django.contrib import admin

from accounts.admin import ActAdmin
from emailcheck.common.admin import ReadOnlyAdmin
from quotes.custom_plans.models import CustomPlan
from quotes.plan_requests.models import PlanRequest
from quotes.quotes.models import Quote
from quotes.requests.models import QuoteRequest


@admin.register(QuoteRequest)
class QuoteRequestAdmin(ReadOnlyAdmin):
    search_fields = ("organisation__holder__email", "company_name")
    list_display = ("organisation", "company_name", "credits_requested", "status", "created_at")
    list_filter = ("status",)


@admin.register(Quote)
class QuoteAdmin(ActAdmin):
    search_fields = ("quote_id", "customer_email", "customer_name", "customer_company")
    list_display = ("quote_id", "customer_email", "credits_needed", "annual_price", "status", "expires_at", "done_by")
    list_filter = ("status", "selected_plan")


@admin.register(PlanRequest)
class PlanRequestAdmin(ActAdmin):
    search_fields = ("quote__quote_id", "quote__customer_email")
    list_display = ("quote", "selected_plan", "status", "amount_paid", "auto_approval_at", "approved_at", "done_by")
    list_filter = ("status", "selected_plan")


@admin.register(CustomPlan)
class CustomPlanAdmin(ReadOnlyAdmin):
    search_fields = ("name", "target_customer")
    list_display = ("name", "target_customer", "monthly_price", "yearly_price", "credits", "is_active")
    list_filter = ("is_active",)
