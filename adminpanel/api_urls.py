from django.urls import include, path, re_path

from adminpanel import api, api_backups, api_invoices, api_payments, api_reports, api_stuck, api_system

urlpatterns = [
    path("admin/api-credits", api_reports.ApiCredits.as_view()),
    path("admin/audit", api.Audit.as_view()),
    path("admin/emails", api.Emails.as_view()),
    path("admin/emails/<str:name>/preview", api.EmailPreview.as_view()),
    path("admin/invoices/open", api_invoices.OpenInvoices.as_view()),
    path("admin/invoices/<int:invoice_id>/paid", api_invoices.InvoicePaid.as_view()),
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
    path("admin/work", api_stuck.StuckWork.as_view()),
    path("admin/work/<str:kind>/<str:work_id>/retry", api_stuck.RetryWork.as_view()),
    path("admin/work/<str:kind>/<str:work_id>/cancel", api_stuck.CancelWork.as_view()),
    path("monitoring/backup/trigger", api_backups.Trigger.as_view()),
    path("monitoring/backups", api_backups.Backups.as_view()),
    path("monitoring/backups/<str:backup_id>", api_backups.Backup.as_view()),
    path("monitoring/backups/<str:backup_id>/download", api_backups.BackupDownload.as_view()),
    path("", include("adminpanel.user_urls")),
    re_path(r"^admin(?:/.*)?$", api.Nothing.as_view()),
]
