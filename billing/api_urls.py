from django.urls import path

from billing import api, api_invoices, api_payments, api_referrals, api_subscription

urlpatterns = [
    path("credits", api.Credits.as_view()),
    path("credits/statement", api.Statement.as_view()),
    path("credits/statement/export", api.StatementExport.as_view()),
    path("user/usage-alerts", api.UsageAlerts.as_view()),
    path("plans", api.Plans.as_view()),
    path("subscriptions/status", api.SubscriptionStatus.as_view()),
    path("subscriptions/plan-change/preview", api_subscription.Preview.as_view()),
    path("subscriptions/plan-change/create-payment", api_subscription.CreatePayment.as_view()),
    path("subscriptions/plan-change", api_subscription.PlanChange.as_view()),
    path("subscriptions/plan-change/complete/<str:token>", api_subscription.CompleteChange.as_view()),
    path("subscriptions/pause", api_subscription.Pause.as_view()),
    path("subscriptions/resume", api_subscription.Resume.as_view()),
    path("subscriptions/cancel", api_subscription.Cancel.as_view()),
    path("subscriptions/reactivate", api_subscription.Reactivate.as_view()),
    path("trial/start", api.TrialStart.as_view()),
    path("payments/paypal/create-order", api_payments.CreateOrder.as_view()),
    path("payments/paypal/create-billing-agreement", api_payments.CreateAgreement.as_view()),
    path("payments/paypal/complete/<str:token>", api_payments.Complete.as_view()),
    path("payments/paypal/status/<str:token>", api_payments.Status.as_view()),
    path("payments/paypal/webhook", api_payments.Webhook.as_view()),
    path("referral/stats", api_referrals.ReferralStats.as_view()),
    path("referral/activities", api_referrals.ReferralActivities.as_view()),
    path("invoices", api_invoices.Invoices.as_view()),
    path("invoices/<int:invoice_id>/pay", api_invoices.InvoicePay.as_view()),
    path("invoices/<int:invoice_id>/pdf", api_invoices.InvoicePdf.as_view()),
    path("invoices/<int:invoice_id>/resend", api_invoices.InvoiceResend.as_view()),
    path("payment-methods", api_invoices.PaymentMethods.as_view()),
    path("payment-methods/<int:method_id>", api_invoices.PaymentMethod.as_view()),
]
