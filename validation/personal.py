"""What the tables of lists and results hold about people."""

from emailcheck.common.personal import Table
from validation import drafts, history, rollups
from validation.day_models import Day
from validation.models import Batch, Chunk, Evidence, Result, Upload
from validation.provider_models import ProviderMonth, Question
from validation.webhook_models import Webhook, WebhookAttempt, WebhookDelivery, WebhookSecret

TABLES = (
    Table(Day, "user", name="days", erase=rollups.leave),
    Table(Batch, "user", name="batches", secret=("file",), erase=history.erase),
    Table(Upload, "user", name="uploads", secret=("file", "sorted_file"), erase=drafts.erase),
    Table(Chunk, "batch__user", left_out="The working copy of lists that are being checked; the results repeat it."),
    Table(Question, "user", name="questions_to_providers"),
    Table(ProviderMonth, "user", name="questions_a_month"),
    Table(Result, "user", name="validations"),
    Table(Evidence, "batch__user", name="evidence"),
    Table(Webhook, "user", name="webhooks"),
    Table(WebhookSecret, "webhook__user", left_out="Secrets that sign webhooks."),
    Table(WebhookDelivery, "webhook__user", name="webhook_deliveries", secret=("lease",)),
    Table(WebhookAttempt, "delivery__webhook__user", name="webhook_attempts"),
)
