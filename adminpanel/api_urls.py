from django.urls import include, path, re_path

from adminpanel.backups import api as api_backups
from adminpanel.payments import api as api_payments
from adminpanel.payments import invoice_api
from adminpanel.reports import api as api_reports
from adminpanel.system import api as api_system
from adminpanel.system import audit_api, stuck_work_api
from adminpanel.system.email_preview_api import EmailPreview, Emails
from adminpanel.unknown_calls import Nothing

urlpatterns = [
    path("admin/api-credits", api_reports.ApiCredits.as_view()),
    path("admin/api-credits/stats", api_reports.ProviderStats.as_view()),
    path("admin/api-credits/<str:name>", api_reports.OneProvider.as_view()),
    path("admin/audit", audit_api.Audit.as_view()),
    path("admin/emails", Emails.as_view()),
    path("admin/emails/<str:name>/preview", EmailPreview.as_view()),
    path("admin/invoices/open", invoice_api.OpenInvoices.as_view()),
    path("admin/invoices/<int:invoice_id>/buyer", invoice_api.InvoiceBuyer.as_view()),
    path("admin/invoices/<int:invoice_id>/paid", invoice_api.InvoicePaid.as_view()),
    path("admin/payments", api_payments.Payments.as_view()),
    path("admin/payments/<int:payment_id>", api_payments.Payment.as_view()),
    path("admin/payments/<int:payment_id>/refund", api_payments.PaymentRefund.as_view()),
    path("admin/revenue", api_reports.Revenue.as_view()),
    path("admin/stats", api_reports.Stats.as_view()),
    path("admin/system-stats", api_system.SystemStats.as_view()),
    path("admin/system/activity", api_system.UserActivity.as_view()),
    path("admin/system/export-users", api_system.UsersExport.as_view()),
    path("admin/system/logs", api_system.Logs.as_view()),
    path("admin/system/logs/download", api_system.LogsDownload.as_view()),
    path("admin/system/services", api_system.Services.as_view()),
    path("admin/system/<str:action>", api_system.Action.as_view()),
    path("admin/work", stuck_work_api.StuckWork.as_view()),
    path("admin/work/<str:kind>/<str:work_id>/retry", stuck_work_api.RetryWork.as_view()),
    path("admin/work/<str:kind>/<str:work_id>/cancel", stuck_work_api.CancelWork.as_view()),
    path("monitoring/backup/trigger", api_backups.Trigger.as_view()),
    path("monitoring/backups", api_backups.Backups.as_view()),
    path("monitoring/backups/<str:backup_id>", api_backups.Backup.as_view()),
    path("monitoring/backups/<str:backup_id>/download", api_backups.BackupDownload.as_view()),
    path("", include("adminpanel.customers.api_urls")),
    re_path(r"^admin(?:/.*)?$", Nothing.as_view()),
]
