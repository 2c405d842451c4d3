from django.urls import path

from accounts.activity import api as activity
from accounts.keys import api as keys
from accounts.keys import leaks_api as leaks
from accounts.privacy import api as privacy
from accounts.profile import api as profile
from accounts.rules import api as rules
from accounts.signin import api, google_api, registration_api, security_api
from accounts.team import api as team
from accounts.team import invitation_api as invitations
from accounts.team import transfer_api as transfers

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
    path("auth/google/start", google_api.GoogleStart.as_view()),
    path("auth/google/callback", google_api.GoogleCallback.as_view()),
    path("auth/google/link", google_api.GoogleLink.as_view()),
    path("auth/google/mail", google_api.GoogleMail.as_view()),
    path("auth/session", google_api.GoogleSession.as_view()),
    path("user/mfa", security_api.Mfa.as_view()),
    path("user/mfa/totp", security_api.Totp.as_view()),
    path("user/mfa/totp/confirm", security_api.ConfirmTotp.as_view()),
    path("user/mfa/recovery-codes", security_api.RecoveryCodes.as_view()),
    path("user/sessions", security_api.Sessions.as_view()),
    path("user/sessions/<str:session_id>", security_api.Session.as_view()),
    path("user", privacy.Account.as_view()),
    path("user/profile", profile.Profile.as_view()),
    path("user/preferences", profile.Preferences.as_view()),
    path("user/retention", profile.Retention.as_view()),
    path("organisation/downloads", profile.Downloads.as_view()),
    path("user/onboarding", profile.Onboarding.as_view()),
    path("user/api-keys", keys.ApiKeys.as_view()),
    path("user/api-keys/<int:key_id>", keys.ApiKeyDetail.as_view()),
    path("user/key-leaks/<str:notice_id>", leaks.LeakNotice.as_view()),
    path("organisation/leaked-keys", leaks.LeakRule.as_view()),
    path("keys/leaked", leaks.LeakedKeys.as_view()),
    path("user/requests", keys.Requests.as_view()),
    path("user/requests/<str:request_id>", keys.RequestDetail.as_view()),
    path("user/deletion", privacy.AccountDeletion.as_view()),
    path("user/export-data", privacy.ExportData.as_view()),
    path("user/activity", activity.ActivityLog.as_view()),
    path("organisation", team.OrganisationDetail.as_view()),
    path("organisation/members", team.Members.as_view()),
    path("organisation/members/<int:member_id>", team.MemberDetail.as_view()),
    path("organisation/invitations", invitations.Invitations.as_view()),
    path("organisation/invitations/<str:invitation_id>", invitations.InvitationDetail.as_view()),
    path("organisation/invitations/<str:invitation_id>/resend", invitations.InvitationResend.as_view()),
    path("organisation/leave", team.Leave.as_view()),
    path("organisation/switch", team.Switch.as_view()),
    path("organisation/transfer", transfers.Transfer.as_view()),
    path("organisation/transfer/accept", transfers.AcceptTransfer.as_view()),
    path("organisation/transfer/decline", transfers.DeclineTransfer.as_view()),
    path("invitations/<str:token>", invitations.InvitationLink.as_view()),
    path("invitations/<str:token>/accept", invitations.InvitationAccept.as_view()),
    path("organisation/audit", activity.OrganisationAudit.as_view()),
    path("organisation/audit/export", activity.OrganisationAuditExport.as_view()),
    path("organisation/rules", rules.OrganisationRules.as_view()),
    path("organisation/domains", rules.Domains.as_view()),
    path("organisation/domains/<int:domain_id>", rules.DomainDetail.as_view()),
    path("organisation/domains/<int:domain_id>/check", rules.DomainCheck.as_view()),
]
