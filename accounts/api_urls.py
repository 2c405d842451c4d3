from django.urls import path

from accounts import api, user_api

urlpatterns = [
    path("auth/login", api.Login.as_view()),
    path("auth/logout", api.Logout.as_view()),
    path("auth/refresh", api.Refresh.as_view()),
    path("auth/me", api.Me.as_view()),
    path("user/profile", user_api.Profile.as_view()),
    path("user/preferences", user_api.Preferences.as_view()),
    path("user/retention", user_api.Retention.as_view()),
    path("user/onboarding", user_api.Onboarding.as_view()),
    path("user/api-keys", user_api.ApiKeys.as_view()),
    path("user/api-keys/<int:key_id>", user_api.ApiKeyDetail.as_view()),
    path("user/activity", user_api.ActivityLog.as_view()),
]
