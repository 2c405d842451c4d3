from django.urls import path, re_path

from adminpanel import api

urlpatterns = [
    path("admin/audit", api.Audit.as_view()),
    path("admin/emails", api.Emails.as_view()),
    path("admin/emails/<str:name>/preview", api.EmailPreview.as_view()),
    re_path(r"^admin(?:/.*)?$", api.Nothing.as_view()),
]
