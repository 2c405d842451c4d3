"""Every call of the API; mounted at `/api/` and `/api/v1/`."""

from django.urls import include, path

from emailcheck.contract.api import Contract, RequestAdvice, Schema
from emailcheck.public.blog import api

urlpatterns = [
    path("", include("validation.api_urls")),  # the first, since most calls are for it
    path("", include("accounts.api_urls")),
    path("", include("billing.api_urls")),
    path("", include("crm.api_urls")),
    path("", include("quotes.api_urls")),
    path("", include("adminpanel.monitoring.api_urls")),
    path("", include("adminpanel.api_urls")),
    path("blog/posts", api.Posts.as_view()),
    path("blog/posts/<slug:slug>", api.PostDetail.as_view()),
    path("user/requests/<str:request_id>/advice", RequestAdvice.as_view()),
    path("openapi.json", Contract.as_view()),
    path("schema", Schema.as_view(), name="schema"),
]
