from django.urls import path, re_path

from adminpanel import api, api_backups, api_payments, api_people, api_users

urlpatterns = [
    path("admin/audit", api.Audit.as_view()),
    path("admin/emails", api.Emails.as_view()),
    path("admin/emails/<str:name>/preview", api.EmailPreview.as_view()),
    path("admin/payments", api_payments.Payments.as_view()),
    path("admin/payments/<int:payment_id>", api_payments.Payment.as_view()),
    path("admin/payments/<int:payment_id>/refund", api_payments.PaymentRefund.as_view()),
    path("admin/users/authenticated", api_users.Users.as_view()),
    path("admin/users/test-users", api_people.TestUsers.as_view()),
    path("admin/users/delete-test-users", api_people.DeleteTestUsers.as_view()),
    path("admin/users/<int:user_id>", api_users.UserDetail.as_view()),
    path("admin/users/<int:user_id>/ledger", api_users.UserLedger.as_view()),
    path("admin/users/<int:user_id>/activity", api_users.UserActivity.as_view()),
    path("admin/users/<int:user_id>/sign-out", api_users.UserSignOut.as_view()),
    path("admin/users/<int:user_id>/reset-mfa", api_users.UserResetMfa.as_view()),
    path("admin/users/<int:user_id>/resend-verification", api_users.UserResendVerification.as_view()),
    path("admin/create-admin", api_people.CreateAdmin.as_view()),
    path("admin/credits/bulk-grant/preview", api_people.BulkGrantPreview.as_view()),
    path("admin/credits/bulk-grant", api_people.BulkGrant.as_view()),
    path("monitoring/backup/trigger", api_backups.Trigger.as_view()),
    path("monitoring/backups", api_backups.Backups.as_view()),
    path("monitoring/backups/<str:backup_id>", api_backups.Backup.as_view()),
    path("monitoring/backups/<str:backup_id>/download", api_backups.BackupDownload.as_view()),
    re_path(r"^admin(?:/.*)?$", api.Nothing.as_view()),
]
