from django.urls import path

from validation import analytics_api, api, batch_api

urlpatterns = [
    path("analytics/dashboard", analytics_api.Dashboard.as_view()),
    path("analytics/usage", analytics_api.Usage.as_view()),
    path("analytics/advanced", analytics_api.Advanced.as_view()),
    path("validate/single", api.Single.as_view()),
    path("validate/bulk", api.Bulk.as_view()),
    path("validate/upload", api.Upload.as_view()),
    path("validate/upload/inspect", api.InspectUpload.as_view()),
    path("validate/upload/<str:upload_id>", api.UploadReview.as_view()),
    path("validate/upload/<str:upload_id>/start", api.UploadStart.as_view()),
    path("validate/batches", api.History.as_view()),
    path("validate/batch/<str:batch_id>", api.BatchDetail.as_view()),
    path("validate/batch/<str:batch_id>/status", api.BatchProgress.as_view()),
    path("validate/batch/<str:batch_id>/cancel", batch_api.Cancel.as_view()),
    path("validate/batch/<str:batch_id>/resume", batch_api.Resume.as_view()),
    path("validate/batch/<str:batch_id>/recheck", batch_api.Recheck.as_view()),
    path("validate/batch/<str:batch_id>/results", api.BatchResults.as_view()),
    path("validate/batch/<str:batch_id>/export", api.BatchExport.as_view()),
    path("validate/result/<int:result_id>", api.ResultDetail.as_view()),
    path("user/validation-history", api.ClearHistory.as_view()),
]
