from django.urls import path

from billing import api

urlpatterns = [path("credits", api.Credits.as_view())]
