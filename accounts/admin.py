from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.access.models import ApiKey, SignIn, Viewing
from accounts.access.permissions import is_recently_confirmed
from accounts.activity import actors
from accounts.activity.models import Activity
from accounts.keys.models import ApiRequest, KeyLeak, KeyLeakNotice
from accounts.organisations.models import Membership, Organisation, OrganisationLogo
from accounts.rules.models import OwnedDomain
from accounts.signin.models import MailboxRequest, OneTimeToken
from accounts.staff import services as staff
from accounts.staff.models import ColleagueDeletion
from accounts.team.models import Invitation, OwnershipTransfer
from accounts.users.models import User
from emailcheck.common.admin import ReadOnlyAdmin
from emailcheck.common.errors import ProductError, Refused

_SET_ELSEWHERE = ("email", "suspension_reason", "email_verified_at", "created_at", "last_login")
_SIGN_IN_AGAIN = "Role and status were not changed: sign out and in again first, it was too long ago."

# Second factors are removed by a service, which mails their owner; the rest is not used.
for _model in (Authenticator, EmailAddress, Group, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(_model)


class UserForm(forms.ModelForm[User]):
    reason = forms.CharField(
        required=False, max_length=500, label="Reason for suspending", help_text="Its owner gets it by mail."
    )

    def clean(self) -> None:
        """A suspension has a reason, and nothing else takes one."""
        suspends = "is_active" in self.changed_data and not self.cleaned_data["is_active"]
        if suspends and not self.cleaned_data.get("reason"):
            self.add_error("reason", staff.REASON_MISSING)
        if self.cleaned_data.get("reason") and not suspends:
            self.add_error("reason", "Only a suspension takes a reason.")


@admin.register(Organisation)
class OrganisationAdmin(ReadOnlyAdmin):
    list_display = ("title", "holder", "is_active", "created_at")
    list_select_related = ("holder",)
    search_fields = ("name", "=public_id", "holder__email")


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ("organisation", "user", "role", "created_at")
    list_filter = ("role",)
    list_select_related = ("organisation__holder", "user")
    search_fields = ("organisation__name", "user__email")


@admin.register(OrganisationLogo)
class OrganisationLogoAdmin(ReadOnlyAdmin):
    list_display = ("organisation", "media_type", "changed_at")
    list_select_related = ("organisation__holder",)
    search_fields = ("=organisation__public_id",)
    exclude = ("content",)


@admin.register(OwnedDomain)
class OwnedDomainAdmin(ReadOnlyAdmin):
    list_display = ("name", "organisation", "google_required", "created_at", "proved_at")
    list_select_related = ("organisation__holder",)
    search_fields = ("name",)


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    list_display = ("organisation", "email", "role", "created_at", "expires_at", "accepted_at", "revoked_at")
    list_select_related = ("organisation__holder",)
    search_fields = ("email",)
    exclude = ("token_hash",)


@admin.register(OwnershipTransfer)
class OwnershipTransferAdmin(ReadOnlyAdmin):
    list_display = ("organisation", "giver", "receiver", "created_at", "expires_at", "accepted_at", "ended_at")
    list_select_related = ("organisation__holder", "giver", "receiver")
    search_fields = ("giver__email", "receiver__email")


@admin.register(User)
class UserAdmin(admin.ModelAdmin[User]):
    """Accounts are made by signing up: one made here would have neither password nor credits."""

    list_display = ("email", "name", "role", "is_active", "email_verified_at", "created_at")
    list_filter = ("role", "is_active")
    search_fields = ("email", "name", "own_organisation__company")
    fields = (
        "email",
        "name",
        "role",
        "is_active",
        "reason",
        "suspension_reason",
        "email_verified_at",
        "created_at",
        "last_login",
    )
    readonly_fields = _SET_ELSEWHERE
    form = UserForm

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Role and status change by the service, which refuses what may not be and records the rest; and only soon
        after whoever does it proved to be there (SEC-015). What the form leaves alone is not written: it may have
        changed since it was read."""
        assert isinstance(request.user, User)
        role, is_active = obj.role, obj.is_active
        obj.role, obj.is_active = form.initial["role"], form.initial["is_active"]
        obj.save(update_fields=set(form.changed_data) - {"role", "is_active", "reason"})
        if (role, is_active) == (obj.role, obj.is_active):
            return
        if not is_recently_confirmed(SignIn.objects.get(pk=request.session["sign_in"])):
            raise Refused(_SIGN_IN_AGAIN, code="REAUTH_REQUIRED")
        reason = form.cleaned_data["reason"]
        staff.change_account(user=obj, by=request.user, role=role, is_active=is_active, suspension_reason=reason)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The page of one account; a refused change saves nothing, and the page says why."""
        try:
            return super().change_view(request, object_id, form_url, extra_context)
        except ProductError as error:
            self.message_user(request, f"Nothing was saved. {error.detail}", messages.ERROR)
            return HttpResponseRedirect(request.path)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ActAdmin(ReadOnlyAdmin):
    """Acts of staff: `done_by` names the actors of a page with one query."""

    readonly_fields = ("done_by",)
    exclude: ClassVar[tuple[str, ...]] = ("staff_id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        account = User.objects.filter(pk=OuterRef("staff_id"), deleted_at=None)
        acts: QuerySet[Any] = super().get_queryset(request).annotate(staff_is_there=Exists(account))
        return acts

    @admin.display(description="done by", empty_value="-")
    def done_by(self, act: Any) -> str | None:
        return actors.format_actor(act, {act.staff_id: ("", "")} if act.staff_is_there else {})


@admin.register(SignIn)
class SignInAdmin(ReadOnlyAdmin):
    list_display = ("user", "device", "created_at", "used_at", "ended_at")
    search_fields = ("user__email",)
    exclude = ("refresh_hash", "family_hash")


@admin.register(Viewing)
class ViewingAdmin(ReadOnlyAdmin):
    list_select_related = ("user", "sign_in__user")
    list_display = ("user", "sign_in", "reason", "created_at", "expires_at", "ended_at")
    search_fields = ("user__email",)


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    list_display = (
        "organisation", "maker", "name", "prefix", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at",
    )  # fmt: skip
    list_select_related = ("organisation__holder", "maker")
    search_fields = ("organisation__holder__email", "prefix")
    exclude = ("key_hash",)


@admin.register(KeyLeak)
class KeyLeakAdmin(ReadOnlyAdmin):
    list_display = ("organisation", "key", "place", "revoked", "reported_at")
    list_select_related = ("organisation__holder", "key")
    search_fields = ("organisation__holder__email", "key__prefix")


@admin.register(KeyLeakNotice)
class KeyLeakNoticeAdmin(ReadOnlyAdmin):
    list_display = ("leak", "user", "dismissed_at")
    list_select_related = ("leak", "user")
    search_fields = ("user__email",)


@admin.register(Activity)
class ActivityAdmin(ActAdmin):
    list_select_related = ("user",)
    list_display = ("created_at", "user", "kind", "action", "ip", "done_by")
    list_filter = ("kind",)
    search_fields = ("user__email", "action", "staff_email")


@admin.register(ColleagueDeletion)
class ColleagueDeletionAdmin(ActAdmin):
    list_display = ("colleague_name", "colleague_email", "reason", "outcome", "done_by", "created_at", "expires_at")
    list_filter = ("outcome",)
    search_fields = ("colleague_email", "staff_email")


@admin.register(OneTimeToken)
class OneTimeTokenAdmin(ReadOnlyAdmin):
    list_display = ("user", "purpose", "failures", "created_at", "expires_at", "ended_at")
    list_filter = ("purpose",)
    list_select_related = ("user",)
    search_fields = ("user__email",)
    exclude = ("digest", "sealed")


@admin.register(MailboxRequest)
class MailboxRequestAdmin(ReadOnlyAdmin):
    list_display = ("kind", "created_at")
    list_filter = ("kind",)
    search_fields = ("kind",)
    exclude = ("sealed",)


@admin.register(ApiRequest)
class ApiRequestAdmin(ReadOnlyAdmin):
    """What customers sent and got is theirs: it is not shown here."""

    list_display = ("time", "organisation", "method", "path", "status", "duration_ms", "error_code")
    list_filter = ("test", "method")
    list_select_related = ("organisation__holder",)
    search_fields = ("organisation__holder__email", "=request_id")
    exclude = ("request_body", "response_body")
