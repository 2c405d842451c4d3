from django.urls import path

from adminpanel.monitoring import api, status_api

urlpatterns = [
    path("status", status_api.Status.as_view()),
    path("status/history", status_api.StatusHistory.as_view()),
    path("monitoring/health", status_api.Health.as_view()),
    path("monitoring/alerts", api.Alerts.as_view()),
    path("monitoring/metrics", api.Metrics.as_view()),
    path("monitoring/routes", api.Routes.as_view()),
    path("monitoring/egress/<int:egress_id>/<str:action>", api.EgressAction.as_view()),
    path("admin/api-health", api.ApiHealth.as_view()),
    path("admin/incidents", api.Incidents.as_view()),
    path("admin/incidents/<int:incident_id>", api.OneIncident.as_view()),
]
