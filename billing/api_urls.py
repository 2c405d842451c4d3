from django.urls import path

from billing.catalogue.api import Plans
from billing.checkout import api as checkout_api
from billing.checkout.plan_change_api import CompleteChange
from billing.invoices import api as invoices_api
from billing.payments.api import PaymentMethod, PaymentMethods
from billing.referrals import api as referrals_api
from billing.subscriptions import api as subscriptions_api
from billing.subscriptions.status_api import SubscriptionStatus, TrialStart
from billing.usage import api as usage_api

urlpatterns = [
    path("credits", usage_api.Credits.as_view()),
    path("credits/statement", usage_api.Statement.as_view()),
    path("credits/statement/export", usage_api.StatementExport.as_view()),
    path("user/usage-alerts", usage_api.UsageAlerts.as_view()),
    path("plans", Plans.as_view()),
    path("subscriptions/status", SubscriptionStatus.as_view()),
    path("subscriptions/plan-change/preview", subscriptions_api.Preview.as_view()),
    path("subscriptions/plan-change/create-payment", subscriptions_api.CreatePayment.as_view()),
    path("subscriptions/plan-change", subscriptions_api.PlanChange.as_view()),
    path("subscriptions/plan-change/complete/<str:token>", CompleteChange.as_view()),
    path("subscriptions/pause", subscriptions_api.Pause.as_view()),
    path("subscriptions/resume", subscriptions_api.Resume.as_view()),
    path("subscriptions/cancel", subscriptions_api.Cancel.as_view()),
    path("subscriptions/reactivate", subscriptions_api.Reactivate.as_view()),
    path("trial/start", TrialStart.as_view()),
    path("payments/pending", checkout_api.Pending.as_view()),
    path("payments/paypal/create-order", checkout_api.CreateOrder.as_view()),
    path("payments/paypal/create-billing-agreement", checkout_api.CreateAgreement.as_view()),
    path("payments/paypal/complete/<str:token>", checkout_api.Complete.as_view()),
    path("payments/paypal/status/<str:token>", checkout_api.Status.as_view()),
    path("payments/paypal/webhook", checkout_api.Webhook.as_view()),
    path("referral/stats", referrals_api.ReferralStats.as_view()),
    path("referral/activities", referrals_api.ReferralActivities.as_view()),
    path("invoices", invoices_api.Invoices.as_view()),
    path("invoices/<int:invoice_id>/pay", invoices_api.InvoicePay.as_view()),
    path("invoices/<int:invoice_id>/pdf", invoices_api.InvoicePdf.as_view()),
    path("invoices/<int:invoice_id>/resend", invoices_api.InvoiceResend.as_view()),
    path("payment-methods", PaymentMethods.as_view()),
    path("payment-methods/<int:method_id>", PaymentMethod.as_view()),
]
