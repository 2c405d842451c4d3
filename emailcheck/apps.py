from django.contrib.admin.apps import AdminConfig


class Admin(AdminConfig):
    """Django's admin with our own door."""

    default_site = "accounts.admin_site.StaffSite"
