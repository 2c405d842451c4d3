"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from adminpanel.monitoring.status_api import metrics as prometheus_metrics
from emailcheck import pages
from emailcheck.common.api import not_found
from emailcheck.public import (
    about,
    blog,
    contact,
    documentation,
    errors,
    help_center,
    landing,
    legal,
    machine_files,
    newsletter,
    reference,
    status,
)

handler400 = "emailcheck.public.errors.bad_request"
handler403 = "emailcheck.public.errors.not_allowed"
handler404 = "emailcheck.public.errors.not_found"
handler500 = "emailcheck.public.errors.server_error"
urlpatterns = [
    path("api/v1/", include("emailcheck.api_urls")),  # the first, since most requests are calls
    path("api/", include("emailcheck.api_urls")),
    re_path(r"^api(?:/|$)", not_found),
    path("", landing.landing, name="landing"),
    path("dashboard", pages.dashboard, name="dashboard"),
    path("dashboard/batch/<str:batch_id>", pages.batch, name="batch"),
    path("dashboard/result/<int:result_id>", pages.result, name="result"),
    path("verify-email", pages.verify_email, name="verify-email"),
    path("reset-password", pages.reset_password, name="reset-password"),
    path("account-settings", pages.account_settings, name="account-settings"),
    path("admin", pages.admin, name="admin"),
    path("admin/quotes/<str:quote_id>/print", pages.staff_quote, name="staff-quote"),
    path("quotes/<str:quote_id>/print", pages.quote, name="quote"),
    path("payments/paypal/return", pages.payment_return, name="payment-return"),
    path("about", about.about, name="about"),
    path("contact", contact.contact, name="contact"),
    path("integrations", about.integrations, name="integrations"),
    path("privacy", legal.privacy, name="privacy"),
    path("refund-policy", legal.refund_policy, name="refund-policy"),
    path("terms", legal.terms, name="terms"),
    path("robots.txt", machine_files.robots, name="robots"),
    path("site.webmanifest", machine_files.manifest, name="manifest"),
    path("sitemap.xml", machine_files.sitemap, name="sitemap"),
    path("how-we-measure", landing.how_we_measure, name="how-we-measure"),
    path("api-docs", reference.api_docs, name="api-docs"),
    path("llms.txt", reference.llms, name="llms"),
    path("llms-full.txt", reference.llms_full, name="llms-full"),
    path("documentation", documentation.documentation, name="documentation"),
    path("status", status.status_page, name="status"),
    path("help-center", help_center.help_center, name="help-center"),
    path("help", RedirectView.as_view(url="/help-center", permanent=True, query_string=True)),
    path("blog", blog.blog, name="blog"),
    path("blog/feed.xml", blog.feed, name="blog-feed"),
    path("blog/<slug:slug>", blog.post, name="blog-post"),
    path("blog/<slug:slug>/cover.svg", blog.cover, name="blog-cover"),
    path("newsletter/subscribe", newsletter.subscribe, name="newsletter-subscribe"),
    path("newsletter/confirm", newsletter.confirm, name="newsletter-confirm"),
    path("newsletter/unsubscribe", newsletter.unsubscribe, name="newsletter-unsubscribe"),
    path("metrics", prometheus_metrics, name="metrics"),
    re_path(r"^sandbox(?:/.*)?$", pages.sandbox, name="sandbox"),
    path("django-admin/mails/", include("emailcheck.common.mail_pages")),
    path("django-admin/", admin.site.urls),
    path("<path:path>", errors.elsewhere, name="elsewhere"),
]
