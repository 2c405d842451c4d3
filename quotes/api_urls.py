from django.urls import path

from quotes.custom_plans import api as custom_plans
from quotes.plan_requests import api as plan_requests
from quotes.plan_requests import staff_api as staff_plan_requests
from quotes.quotes import api as quotes
from quotes.quotes import staff_api as staff_quotes
from quotes.requests import api as requests
from quotes.requests import staff_api as staff_requests

urlpatterns = [
    path("quotes/my-quotes", quotes.MyQuotes.as_view()),
    path("quotes/my-requests", plan_requests.MyRequests.as_view()),
    path("quotes/request-custom", requests.RequestCustom.as_view()),
    path("quotes/<str:quote_id>", quotes.QuoteDetail.as_view()),
    path("quotes/<str:quote_id>/decline", quotes.Decline.as_view()),
    path("quotes/<str:quote_id>/create-payment-order", plan_requests.CreatePaymentOrder.as_view()),
    path("admin/plan-requests", staff_plan_requests.PlanRequests.as_view()),
    path("admin/plan-requests/<int:request_id>/approve", staff_plan_requests.ApprovePlanRequest.as_view()),
    path("admin/custom-plans", custom_plans.CustomPlans.as_view()),
    path("admin/custom-plans/<int:plan_id>", custom_plans.CustomPlanDetail.as_view()),
    path("admin/custom-plans/<int:plan_id>/clone", custom_plans.CustomPlanClone.as_view()),
    path("admin/custom-plans/<int:plan_id>/assign", custom_plans.CustomPlanAssign.as_view()),
    path("admin/custom-quote-requests", staff_requests.Requests.as_view()),
    path("admin/custom-quote-requests/<int:request_id>", staff_requests.RequestDetail.as_view()),
    path("admin/quotes", staff_quotes.Quotes.as_view()),
    path("admin/quotes/preview", staff_quotes.Preview.as_view()),
    path("admin/quotes/generate", staff_quotes.Generate.as_view()),
    path("admin/quotes/cleanup", staff_quotes.Cleanup.as_view()),
    path("admin/quotes/send-email", staff_quotes.SendEmail.as_view()),
    path("admin/quotes/<str:quote_id>", staff_quotes.QuoteDetail.as_view()),
    path("admin/quotes/<str:quote_id>/delete", staff_quotes.Delete.as_view()),
    path("admin/quotes/<str:quote_id>/archive", staff_quotes.Archive.as_view()),
]
