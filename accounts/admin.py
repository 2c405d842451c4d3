from typing import ClassVar

from django.contrib import admin

from accounts.models import SignIn, User


@admin.register(User)
class UserAdmin(admin.ModelAdmin[User]):
    list_display = ("email", "name", "role", "is_active", "email_verified_at", "created_at")
    list_filter = ("role", "is_active")
    search_fields = ("email", "name", "company")
    readonly_fields = ("created_at", "last_login")
    exclude: ClassVar[tuple[str, ...]] = ("password",)


@admin.register(SignIn)
class SignInAdmin(admin.ModelAdmin[SignIn]):
    list_display = ("user", "device", "created_at", "used_at", "ended_at")
    search_fields = ("user__email",)
    exclude = ("refresh_hash", "previous_hash")
