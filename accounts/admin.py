from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest

from accounts.models import SignIn, User
from emailcheck.common.admin import ReadOnlyAdmin


@admin.register(User)
class UserAdmin(admin.ModelAdmin[User]):
    """Accounts are made by signing up: one made here would have neither password nor credits."""

    list_display = ("email", "name", "role", "is_active", "email_verified_at", "created_at")
    list_filter = ("role", "is_active")
    search_fields = ("email", "name", "company")
    readonly_fields = ("email", "email_verified_at", "created_at", "last_login")
    exclude: ClassVar[tuple[str, ...]] = ("password", "is_superuser", "groups", "user_permissions")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(SignIn)
class SignInAdmin(ReadOnlyAdmin):
    list_display = ("user", "device", "created_at", "used_at", "ended_at")
    search_fields = ("user__email",)
    exclude = ("refresh_hash", "family_hash")
