from django.urls import path

from adminpanel.monitoring.egress.api import EgressAction, Routes
from adminpanel.monitoring.incidents.api import Incidents, OneIncident
from adminpanel.monitoring.overview import api
from adminpanel.monitoring.overview.api import Health
from adminpanel.monitoring.status.api import Status, StatusHistory

urlpatterns = [
    path("status", Status.as_view()),
    path("status/history", StatusHistory.as_view()),
    path("monitoring/health", Health.as_view()),
    path("monitoring/alerts", api.Alerts.as_view()),
    path("monitoring/metrics", api.Metrics.as_view()),
    path("monitoring/routes", Routes.as_view()),
    path("monitoring/egress/<int:egress_id>/<str:action>", EgressAction.as_view()),
    path("admin/api-health", api.ApiHealth.as_view()),
    path("admin/incidents", Incidents.as_view()),
    path("admin/incidents/<int:incident_id>", OneIncident.as_view()),
]
