from django.urls import path

from accounts.activity.api import ActivityLog
from accounts.keys import request_log_api
from accounts.keys.api import ApiKeyDetail, ApiKeys
from accounts.privacy.api import Account, ExportData
from accounts.profile import api as api_user
from accounts.signin import api, registration_api, security_api
from accounts.signin import google_api as api_google

urlpatterns = [
    path("auth/login", api.Login.as_view()),
    path("auth/mfa/verify", api.MfaVerify.as_view()),
    path("auth/logout", api.Logout.as_view()),
    path("auth/refresh", api.Refresh.as_view()),
    path("auth/me", api.Me.as_view()),
    path("auth/reauthenticate", api.Reauthenticate.as_view()),
    path("auth/register", registration_api.Register.as_view()),
    path("auth/verify-email", registration_api.VerifyEmail.as_view()),
    path("auth/resend-verification", registration_api.ResendVerification.as_view()),
    path("auth/forgot-password", registration_api.ForgotPassword.as_view()),
    path("auth/verify-reset-token/<str:token>", registration_api.VerifyResetToken.as_view()),
    path("auth/reset-password", registration_api.ResetPassword.as_view()),
    path("auth/google/start", api_google.GoogleStart.as_view()),
    path("auth/google/callback", api_google.GoogleCallback.as_view()),
    path("auth/google/link", api_google.GoogleLink.as_view()),
    path("auth/google/mail", api_google.GoogleMail.as_view()),
    path("auth/session", api_google.GoogleSession.as_view()),
    path("user/mfa", security_api.Mfa.as_view()),
    path("user/mfa/totp", security_api.Totp.as_view()),
    path("user/mfa/totp/confirm", security_api.ConfirmTotp.as_view()),
    path("user/mfa/recovery-codes", security_api.RecoveryCodes.as_view()),
    path("user/sessions", security_api.Sessions.as_view()),
    path("user/sessions/<str:session_id>", security_api.Session.as_view()),
    path("user", Account.as_view()),
    path("user/profile", api_user.Profile.as_view()),
    path("user/preferences", api_user.Preferences.as_view()),
    path("user/retention", api_user.Retention.as_view()),
    path("user/onboarding", api_user.Onboarding.as_view()),
    path("user/api-keys", ApiKeys.as_view()),
    path("user/api-keys/<int:key_id>", ApiKeyDetail.as_view()),
    path("user/requests", request_log_api.Requests.as_view()),
    path("user/requests/<str:request_id>", request_log_api.RequestDetail.as_view()),
    path("user/export-data", ExportData.as_view()),
    path("user/activity", ActivityLog.as_view()),
]
