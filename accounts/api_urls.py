from django.urls import path

from accounts import api, api_links, api_security, user_api

urlpatterns = [
    path("auth/login", api.Login.as_view()),
    path("auth/mfa/verify", api.MfaVerify.as_view()),
    path("auth/logout", api.Logout.as_view()),
    path("auth/refresh", api.Refresh.as_view()),
    path("auth/me", api.Me.as_view()),
    path("auth/reauthenticate", api.Reauthenticate.as_view()),
    path("auth/register", api_links.Register.as_view()),
    path("auth/verify-email", api_links.VerifyEmail.as_view()),
    path("auth/resend-verification", api_links.ResendVerification.as_view()),
    path("auth/forgot-password", api_links.ForgotPassword.as_view()),
    path("auth/verify-reset-token/<str:token>", api_links.VerifyResetToken.as_view()),
    path("auth/reset-password", api_links.ResetPassword.as_view()),
    path("user/mfa", api_security.Mfa.as_view()),
    path("user/mfa/totp", api_security.Totp.as_view()),
    path("user/mfa/totp/confirm", api_security.ConfirmTotp.as_view()),
    path("user/mfa/recovery-codes", api_security.RecoveryCodes.as_view()),
    path("user/sessions", api_security.Sessions.as_view()),
    path("user/sessions/<str:session_id>", api_security.Session.as_view()),
    path("user/profile", user_api.Profile.as_view()),
    path("user/preferences", user_api.Preferences.as_view()),
    path("user/retention", user_api.Retention.as_view()),
    path("user/onboarding", user_api.Onboarding.as_view()),
    path("user/api-keys", user_api.ApiKeys.as_view()),
    path("user/api-keys/<int:key_id>", user_api.ApiKeyDetail.as_view()),
    path("user/export-data", user_api.ExportData.as_view()),
    path("user/activity", user_api.ActivityLog.as_view()),
]
