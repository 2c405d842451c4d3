import gc

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class Admin(AdminConfig):
    """Django's admin with our own door."""

    default_site = "accounts.staff.admin_site.StaffSite"


class Loaded(AppConfig):
    """The last app: what is loaded by now stays, so that the garbage collector can skip it."""

    name = "emailcheck"

    def ready(self) -> None:
        gc.freeze()
        gc.enable()
