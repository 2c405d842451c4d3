from django.urls import include, path, re_path

from adminpanel import unknown_calls
from adminpanel.backups import api as backups
from adminpanel.payments import api as payments
from adminpanel.reports import api as reports
from adminpanel.system import api as system

urlpatterns = [
    path("admin/api-credits", reports.ApiCredits.as_view()),
    path("admin/api-credits/stats", reports.ProviderStats.as_view()),
    path("admin/api-credits/<str:name>", reports.OneProvider.as_view()),
    path("admin/audit", system.Audit.as_view()),
    path("admin/emails", system.Emails.as_view()),
    path("admin/emails/<str:name>/preview", system.EmailPreview.as_view()),
    path("admin/invoices/open", payments.OpenInvoices.as_view()),
    path("admin/invoices/<int:invoice_id>/buyer", payments.InvoiceBuyer.as_view()),
    path("admin/invoices/<int:invoice_id>/paid", payments.InvoicePaid.as_view()),
    path("admin/payments", payments.Payments.as_view()),
    path("admin/payments/<int:payment_id>", payments.Payment.as_view()),
    path("admin/payments/<int:payment_id>/refund", payments.PaymentRefund.as_view()),
    path("admin/revenue", reports.Revenue.as_view()),
    path("admin/stats", reports.Stats.as_view()),
    path("admin/system-stats", system.SystemStats.as_view()),
    path("admin/system/activity", system.UserActivity.as_view()),
    path("admin/system/export-users", system.UsersExport.as_view()),
    path("admin/system/logs", system.Logs.as_view()),
    path("admin/system/logs/download", system.LogsDownload.as_view()),
    path("admin/system/services", system.Services.as_view()),
    path("admin/system/<str:action>", system.Action.as_view()),
    path("admin/work", system.StuckWork.as_view()),
    path("admin/work/<str:kind>/<str:work_id>/retry", system.RetryWork.as_view()),
    path("admin/work/<str:kind>/<str:work_id>/cancel", system.CancelWork.as_view()),
    path("monitoring/backup/trigger", backups.Trigger.as_view()),
    path("monitoring/backups", backups.Backups.as_view()),
    path("monitoring/backups/<str:backup_id>", backups.Backup.as_view()),
    path("monitoring/backups/<str:backup_id>/download", backups.BackupDownload.as_view()),
    path("", include("adminpanel.customers.api_urls")),
    re_path(r"^admin(?:/.*)?$", unknown_calls.Nothing.as_view()),
]
