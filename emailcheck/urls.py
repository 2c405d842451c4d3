"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from accounts.access.views import UnknownCall
from adminpanel.monitoring.overview.api import prometheus_metrics
from emailcheck import pages, team_pages
from emailcheck.common.web.released_files import show_released_file
from emailcheck.public import about, contact, errors, help_center, landing, legal, machine_files, newsletter, status
from emailcheck.public.blog import pages as blog
from emailcheck.public.documentation import pages as documentation
from emailcheck.public.reference import pages as reference

handler400 = "emailcheck.public.errors.bad_request"
handler403 = "emailcheck.public.errors.permission_denied"
handler404 = "emailcheck.public.errors.not_found"
handler500 = "emailcheck.public.errors.server_error"
urlpatterns = [
    path("api/v1/", include("emailcheck.api_urls")),  # the first, since most requests are calls
    path("api/", include("emailcheck.api_urls")),
    re_path(r"^api(?:/|$)", UnknownCall.as_view()),
    path("", landing.landing_page, name="landing"),
    path("dashboard", pages.dashboard_page, name="dashboard"),
    path("dashboard/batch/<str:batch_id>", pages.batch_results, name="batch"),
    path("dashboard/batch/<str:batch_id>/next-steps", pages.next_steps, name="next-steps"),
    path("dashboard/result/<str:result_id>", pages.verdict_detail, name="result"),
    path("team", team_pages.team_page, name="team"),
    path("invitation", team_pages.invitation_page, name="invitation"),
    path("switch", team_pages.switch_page, name="switch"),
    path("verify-email", pages.verify_email, name="verify-email"),
    path("reset-password", pages.reset_password, name="reset-password"),
    path("account-settings", pages.account_settings, name="account-settings"),
    path("admin", pages.staff_area, name="admin"),
    path("admin/quotes/<str:quote_id>/print", pages.staff_quote, name="staff-quote"),
    path("quotes/<str:quote_id>/print", pages.quote_sheet, name="quote"),
    path("payments/paypal/return", pages.payment_return, name="payment-return"),
    path("about", about.about_page, name="about"),
    path("contact", contact.contact_page, name="contact"),
    path("integrations", about.integrations_page, name="integrations"),
    path("privacy", legal.privacy_policy, name="privacy"),
    path("refund-policy", legal.refund_policy, name="refund-policy"),
    path("terms", legal.terms_of_service, name="terms"),
    path("robots.txt", machine_files.robots_txt, name="robots"),
    path("site.webmanifest", machine_files.web_manifest, name="manifest"),
    path("sitemap.xml", machine_files.sitemap_xml, name="sitemap"),
    path("how-we-measure", landing.methodology_page, name="how-we-measure"),
    path("api-docs", reference.reference_page, name="api-docs"),
    path("llms.txt", reference.llms_txt, name="llms"),
    path("llms-full.txt", reference.llms_full_txt, name="llms-full"),
    path("documentation", documentation.documentation_page, name="documentation"),
    path("status", status.status_page, name="status"),
    path("help-center", help_center.help_page, name="help-center"),
    path("help", RedirectView.as_view(url="/help-center", permanent=True, query_string=True)),
    path("blog", blog.blog_page, name="blog"),
    path("blog/feed.xml", blog.rss_feed, name="blog-feed"),
    path("blog/<slug:slug>", blog.post_page, name="blog-post"),
    path("blog/<slug:slug>/cover.svg", blog.cover_image, name="blog-cover"),
    path("newsletter/subscribe", newsletter.subscribe_page, name="newsletter-subscribe"),
    path("newsletter/confirm", newsletter.confirm_page, name="newsletter-confirm"),
    path("newsletter/unsubscribe", newsletter.unsubscribe_page, name="newsletter-unsubscribe"),
    path("static/<str:name>", show_released_file, name="released-file"),
    path("metrics", prometheus_metrics, name="metrics"),
    path("sandbox/design", pages.design_page, name="design"),
    re_path(r"^sandbox(?:/.*)?$", pages.sandbox_proxy, name="sandbox"),
    path("django-admin/mails/", include("emailcheck.common.outbound.mail_previews")),
    path("django-admin/", admin.site.urls),
    path("<path:path>", errors.unknown_address, name="elsewhere"),
]
