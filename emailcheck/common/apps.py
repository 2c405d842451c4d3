from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "emailcheck.common"
    label = "common"
    verbose_name = "Ground floor"
