"""Staff calls about accounts and their credits."""

from django.urls import path

from adminpanel.customers import api, bulk_api
from adminpanel.customers.list_addresses import api as list_addresses

urlpatterns = [
    path("admin/users/authenticated", api.Users.as_view()),
    path("admin/users/test-users", bulk_api.TestUsers.as_view()),
    path("admin/users/delete-test-users", bulk_api.DeleteTestUsers.as_view()),
    path("admin/users/<int:user_id>", api.UserDetail.as_view()),
    path("admin/users/<int:user_id>/ledger", api.UserLedger.as_view()),
    path("admin/users/<int:user_id>/activity", api.UserActivity.as_view()),
    path("admin/users/<int:user_id>/sign-out", api.UserSignOut.as_view()),
    path("admin/users/<int:user_id>/reset-mfa", api.UserResetMfa.as_view()),
    path("admin/users/<int:user_id>/resend-verification", api.UserResendVerification.as_view()),
    path("admin/users/<int:user_id>/lists/<str:batch_id>/addresses", list_addresses.ListAddresses.as_view()),
    path("admin/users/<int:user_id>/addresses", list_addresses.FindAddress.as_view()),
    path("admin/users/<int:user_id>/view-as", api.ViewAs.as_view()),
    path("admin/users/<int:user_id>/deletion", api.AskColleagueDeletion.as_view()),
    path("admin/colleague-deletions", api.ColleagueDeletions.as_view()),
    path("admin/colleague-deletions/<int:deletion_id>/confirm", api.ConfirmColleagueDeletion.as_view()),
    path("admin/colleague-deletions/<int:deletion_id>/cancel", api.CancelColleagueDeletion.as_view()),
    path("admin/view-as", api.ViewAsEnd.as_view()),
    path("admin/create-admin", bulk_api.CreateAdmin.as_view()),
    path("admin/credits/bulk-grant/preview", bulk_api.BulkGrantPreview.as_view()),
    path("admin/credits/bulk-grant", bulk_api.BulkGrant.as_view()),
]
