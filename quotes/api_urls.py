from django.urls import path

from quotes.custom_plans import api as plan_api
from quotes.plan_requests.api import CreatePaymentOrder, MyRequests
from quotes.plan_requests.staff_api import ApprovePlanRequest, PlanRequests
from quotes.quotes import api, staff_api
from quotes.requests.api import RequestCustom
from quotes.requests.staff_api import RequestDetail, Requests

urlpatterns = [
    path("quotes/my-quotes", api.MyQuotes.as_view()),
    path("quotes/my-requests", MyRequests.as_view()),
    path("quotes/request-custom", RequestCustom.as_view()),
    path("quotes/<str:quote_id>", api.QuoteDetail.as_view()),
    path("quotes/<str:quote_id>/decline", api.Decline.as_view()),
    path("quotes/<str:quote_id>/create-payment-order", CreatePaymentOrder.as_view()),
    path("admin/plan-requests", PlanRequests.as_view()),
    path("admin/plan-requests/<int:request_id>/approve", ApprovePlanRequest.as_view()),
    path("admin/custom-plans", plan_api.CustomPlans.as_view()),
    path("admin/custom-plans/<int:plan_id>", plan_api.CustomPlanDetail.as_view()),
    path("admin/custom-plans/<int:plan_id>/clone", plan_api.CustomPlanClone.as_view()),
    path("admin/custom-plans/<int:plan_id>/assign", plan_api.CustomPlanAssign.as_view()),
    path("admin/custom-quote-requests", Requests.as_view()),
    path("admin/custom-quote-requests/<int:request_id>", RequestDetail.as_view()),
    path("admin/quotes", staff_api.Quotes.as_view()),
    path("admin/quotes/preview", staff_api.Preview.as_view()),
    path("admin/quotes/generate", staff_api.Generate.as_view()),
    path("admin/quotes/cleanup", staff_api.Cleanup.as_view()),
    path("admin/quotes/send-email", staff_api.SendEmail.as_view()),
    path("admin/quotes/<str:quote_id>", staff_api.QuoteDetail.as_view()),
    path("admin/quotes/<str:quote_id>/delete", staff_api.Delete.as_view()),
    path("admin/quotes/<str:quote_id>/archive", staff_api.Archive.as_view()),
]
