from django.urls import path

from accounts import api

urlpatterns = [
    path("auth/login", api.Login.as_view()),
    path("auth/logout", api.Logout.as_view()),
    path("auth/refresh", api.Refresh.as_view()),
    path("auth/me", api.Me.as_view()),
]
