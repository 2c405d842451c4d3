"""Staff calls about accounts and their credits."""

from django.urls import path

from adminpanel import api_colleagues, api_people, api_users, api_viewing
from adminpanel.list_addresses import api as api_addresses

urlpatterns = [
    path("admin/users/authenticated", api_users.Users.as_view()),
    path("admin/users/test-users", api_people.TestUsers.as_view()),
    path("admin/users/delete-test-users", api_people.DeleteTestUsers.as_view()),
    path("admin/users/<int:user_id>", api_users.UserDetail.as_view()),
    path("admin/users/<int:user_id>/ledger", api_users.UserLedger.as_view()),
    path("admin/users/<int:user_id>/activity", api_users.UserActivity.as_view()),
    path("admin/users/<int:user_id>/sign-out", api_users.UserSignOut.as_view()),
    path("admin/users/<int:user_id>/reset-mfa", api_users.UserResetMfa.as_view()),
    path("admin/users/<int:user_id>/resend-verification", api_users.UserResendVerification.as_view()),
    path("admin/users/<int:user_id>/lists/<str:batch_id>/addresses", api_addresses.ListAddresses.as_view()),
    path("admin/users/<int:user_id>/addresses", api_addresses.FindAddress.as_view()),
    path("admin/users/<int:user_id>/view-as", api_viewing.ViewAs.as_view()),
    path("admin/users/<int:user_id>/deletion", api_colleagues.AskColleagueDeletion.as_view()),
    path("admin/colleague-deletions", api_colleagues.ColleagueDeletions.as_view()),
    path("admin/colleague-deletions/<int:deletion_id>/confirm", api_colleagues.ConfirmColleagueDeletion.as_view()),
    path("admin/colleague-deletions/<int:deletion_id>/cancel", api_colleagues.CancelColleagueDeletion.as_view()),
    path("admin/view-as", api_viewing.ViewAsEnd.as_view()),
    path("admin/create-admin", api_people.CreateAdmin.as_view()),
    path("admin/credits/bulk-grant/preview", api_people.BulkGrantPreview.as_view()),
    path("admin/credits/bulk-grant", api_people.BulkGrant.as_view()),
]
