from django.urls import path

from crm.claims import api as claims
from crm.contracts import api as contracts
from crm.deals import api as deals
from crm.messages import api, feedback_api, staff_api

urlpatterns = [
    path("contact/send", api.ContactSend.as_view()),
    path("newsletter/subscribe", api.NewsletterSubscribe.as_view()),
    path("newsletter/confirm", api.NewsletterConfirm.as_view()),
    path("newsletter/unsubscribe", api.NewsletterUnsubscribe.as_view()),
    path("feedback", feedback_api.FeedbackSend.as_view()),
    path("docs/feedback", feedback_api.DocsFeedback.as_view()),
    path("admin/claims", claims.Claims.as_view()),
    path("admin/deals", deals.Deals.as_view()),
    path("admin/deals/<int:deal_id>", deals.DealDetail.as_view()),
    path("admin/deals/<int:deal_id>/move", deals.DealMove.as_view()),
    path("admin/deals/<int:deal_id>/notes", deals.DealNotes.as_view()),
    path("admin/deals/<int:deal_id>/contact", deals.DealContact.as_view()),
    path("admin/contracts", contracts.Contracts.as_view()),
    path("admin/contracts/<int:contract_id>", contracts.ContractDetail.as_view()),
    path("admin/contacts", staff_api.Contacts.as_view()),
    path("admin/contacts/<int:message_id>", staff_api.ContactDetail.as_view()),
    path("admin/contacts/<int:message_id>/deal", staff_api.ContactDeal.as_view()),
    path("admin/feedback", feedback_api.FeedbackList.as_view()),
    path("admin/newsletter", staff_api.Newsletter.as_view()),
    path("admin/newsletter/export", staff_api.NewsletterExport.as_view()),
]
