from django.urls import path

from validation.analytics import api as analytics_api
from validation.batches import api
from validation.batches.control import api as batch_api
from validation.batches.rest.api import CheckRest
from validation.batches.uploads.api import InspectUpload, Upload, UploadRepairs, UploadReview, UploadSample, UploadStart
from validation.exports.api import BatchExport, BatchReach, BatchResults
from validation.first_hour.api import FirstHour
from validation.history.api import ClearHistory, History
from validation.reports.api import BatchReport
from validation.results.api import ResultDetail
from validation.results.reasons.api import Reasons
from validation.single.api import Single, Try
from validation.webhooks import api as webhook_api
from validation.webhooks import program_api

urlpatterns = [
    path("validate/single", Single.as_view()),  # the first, since most calls are it
    path("try", Try.as_view()),
    path("reasons", Reasons.as_view()),
    path("analytics/dashboard", analytics_api.Dashboard.as_view()),
    path("analytics/usage", analytics_api.Usage.as_view()),
    path("analytics/advanced", analytics_api.Advanced.as_view()),
    path("validate/bulk", api.Bulk.as_view()),
    path("validate/upload", Upload.as_view()),
    path("validate/upload/inspect", InspectUpload.as_view()),
    path("validate/upload/<str:upload_id>", UploadReview.as_view()),
    path("validate/upload/<str:upload_id>/repairs", UploadRepairs.as_view()),
    path("validate/upload/<str:upload_id>/start", UploadStart.as_view()),
    path("validate/upload/<str:upload_id>/sample", UploadSample.as_view()),
    path("validate/batches", History.as_view()),
    path("validate/batch/<str:batch_id>", api.BatchDetail.as_view()),
    path("validate/batch/<str:batch_id>/status", api.BatchProgress.as_view()),
    path("validate/batch/<str:batch_id>/cancel", batch_api.Cancel.as_view()),
    path("validate/batch/<str:batch_id>/resume", batch_api.Resume.as_view()),
    path("validate/batch/<str:batch_id>/recheck", batch_api.Recheck.as_view()),
    path("validate/batch/<str:batch_id>/check-in-full", batch_api.CheckInFull.as_view()),
    path("validate/batch/<str:batch_id>/rest", CheckRest.as_view()),
    path("validate/batch/<str:batch_id>/results", BatchResults.as_view()),
    path("validate/batch/<str:batch_id>/export", BatchExport.as_view()),
    path("validate/batch/<str:batch_id>/reach", BatchReach.as_view()),
    path("validate/batch/<str:batch_id>/report.pdf", BatchReport.as_view()),
    path("validate/result/<str:result_id>", ResultDetail.as_view()),
    path("user/validation-history", ClearHistory.as_view()),
    path("user/first-hour", FirstHour.as_view()),
    path("webhooks", program_api.Endpoints.as_view()),
    path("webhooks/<str:webhook_id>", program_api.EndpointDetail.as_view()),
    path("webhooks/<str:webhook_id>/test", program_api.EndpointTest.as_view()),
    path("user/webhooks", webhook_api.Webhooks.as_view()),
    path("user/webhooks/<int:webhook_id>", webhook_api.WebhookDetail.as_view()),
    path("user/webhooks/<int:webhook_id>/test", webhook_api.Test.as_view()),
    path("user/webhooks/<int:webhook_id>/rotate-secret", webhook_api.Rotate.as_view()),
    path("user/webhooks/<int:webhook_id>/replay-failed", webhook_api.ReplayFailed.as_view()),
    path("user/webhooks/<int:webhook_id>/deliveries", webhook_api.Deliveries.as_view()),
    path("user/webhooks/<int:webhook_id>/deliveries/<str:delivery_id>", webhook_api.Delivery.as_view()),
    path("user/webhooks/<int:webhook_id>/deliveries/<str:delivery_id>/replay", webhook_api.Replay.as_view()),
]
