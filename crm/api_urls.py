from django.urls import path

from crm.claims.api import Claims
from crm.contracts.api import ContractDetail, Contracts
from crm.deals import api as staff_api
from crm.messages import api, feedback_api
from crm.messages import staff_api as message_api

urlpatterns = [
    path("contact/send", api.ContactSend.as_view()),
    path("newsletter/subscribe", api.NewsletterSubscribe.as_view()),
    path("newsletter/confirm", api.NewsletterConfirm.as_view()),
    path("newsletter/unsubscribe", api.NewsletterUnsubscribe.as_view()),
    path("feedback", feedback_api.FeedbackSend.as_view()),
    path("docs/feedback", feedback_api.DocsFeedback.as_view()),
    path("admin/claims", Claims.as_view()),
    path("admin/deals", staff_api.Deals.as_view()),
    path("admin/deals/<int:deal_id>", staff_api.DealDetail.as_view()),
    path("admin/deals/<int:deal_id>/move", staff_api.DealMove.as_view()),
    path("admin/deals/<int:deal_id>/notes", staff_api.DealNotes.as_view()),
    path("admin/deals/<int:deal_id>/contact", staff_api.DealContact.as_view()),
    path("admin/contracts", Contracts.as_view()),
    path("admin/contracts/<int:contract_id>", ContractDetail.as_view()),
    path("admin/contacts", message_api.Contacts.as_view()),
    path("admin/contacts/<int:message_id>", message_api.ContactDetail.as_view()),
    path("admin/contacts/<int:message_id>/deal", message_api.ContactDeal.as_view()),
    path("admin/feedback", feedback_api.FeedbackList.as_view()),
    path("admin/newsletter", message_api.Newsletter.as_view()),
    path("admin/newsletter/export", message_api.NewsletterExport.as_view()),
]
