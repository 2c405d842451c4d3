from django.urls import path

from billing.catalogue import api as catalogue
from billing.checkout import api as checkout
from billing.clients import api as clients
from billing.clients import logo_api
from billing.invoices import api as invoices
from billing.invoices import details_api
from billing.payments import api as payments
from billing.referrals import api as referrals
from billing.subscriptions import api as subscriptions
from billing.subscriptions import members_api
from billing.usage import api as usage

urlpatterns = [
    path("credits", usage.Credits.as_view()),
    path("credits/statement", usage.Statement.as_view()),
    path("credits/statement/export", usage.StatementExport.as_view()),
    path("user/usage-alerts", usage.UsageAlerts.as_view()),
    path("plans", catalogue.Plans.as_view()),
    path("subscriptions/status", subscriptions.SubscriptionStatus.as_view()),
    path("subscriptions/plan-change/preview", subscriptions.Preview.as_view()),
    path("subscriptions/plan-change/create-payment", subscriptions.CreatePayment.as_view()),
    path("subscriptions/plan-change", subscriptions.PlanChange.as_view()),
    path("subscriptions/plan-change/complete/<str:token>", checkout.CompleteChange.as_view()),
    path("subscriptions/pause", subscriptions.Pause.as_view()),
    path("subscriptions/resume", subscriptions.Resume.as_view()),
    path("subscriptions/cancel", subscriptions.Cancel.as_view()),
    path("subscriptions/reactivate", subscriptions.Reactivate.as_view()),
    path("trial/start", subscriptions.TrialStart.as_view()),
    path("payments/pending", checkout.Pending.as_view()),
    path("payments/paypal/create-order", checkout.CreateOrder.as_view()),
    path("payments/paypal/create-billing-agreement", checkout.CreateAgreement.as_view()),
    path("payments/paypal/complete/<str:token>", checkout.Complete.as_view()),
    path("payments/paypal/status/<str:token>", checkout.Status.as_view()),
    path("payments/paypal/webhook", checkout.Webhook.as_view()),
    path("referral/stats", referrals.ReferralStats.as_view()),
    path("referral/activities", referrals.ReferralActivities.as_view()),
    path("invoices", invoices.Invoices.as_view()),
    path("invoices/<int:invoice_id>/pay", invoices.InvoicePay.as_view()),
    path("invoices/<int:invoice_id>/pdf", invoices.InvoicePdf.as_view()),
    path("invoices/<int:invoice_id>/resend", invoices.InvoiceResend.as_view()),
    path("organisation/billing", details_api.BillingDetails.as_view()),
    path("organisation/members/<int:member_id>/cap", members_api.MemberCap.as_view()),
    path("organisation/clients", clients.Clients.as_view()),
    path("organisation/clients/<str:client_id>", clients.Client.as_view()),
    path("organisation/clients/<str:client_id>/logo", logo_api.ClientLogo.as_view()),
    path("organisation/clients/<str:client_id>/transfers", clients.ClientTransfers.as_view()),
    path("organisation/transfers", clients.Received.as_view()),
    path("organisation/agency/end", clients.AgencyAccess.as_view()),
    path("payment-methods", payments.PaymentMethods.as_view()),
    path("payment-methods/<int:method_id>", payments.PaymentMethod.as_view()),
]
