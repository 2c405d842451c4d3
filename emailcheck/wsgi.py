"""The WSGI application that a web server runs."""

import os

from django.core.wsgi import get_wsgi_application
from django.utils.module_loading import import_string

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "emailcheck.settings")
application = get_wsgi_application()
application.request_class = import_string("emailcheck.common.web.middleware.Utf8Request")
