"""The personal data in the tables of lists and results."""

from emailcheck.common.personal import Table
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch
from validation.batches.retention import removal
from validation.batches.uploads import drafts
from validation.batches.uploads.models import Upload
from validation.daily import rollups
from validation.daily.models import Day
from validation.providers.models import ProviderMonth, Question
from validation.results.models import Evidence, Result
from validation.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery, WebhookSecret

TABLES = (
    Table(Day, "user", name="days", erase=rollups.erase_days),
    Table(Batch, "user", name="batches", secret=("file",), erase=removal.erase_batches),
    Table(Upload, "user", name="uploads", secret=("file", "sorted_file"), erase=drafts.erase_uploads),
    Table(Chunk, "batch__user", left_out="The working copy of lists that are being checked; the results repeat it."),
    Table(Question, "user", name="questions_to_providers", secret=("lease",)),
    Table(ProviderMonth, "user", name="questions_a_month"),
    Table(Result, "user", name="validations"),
    Table(Evidence, "batch__user", name="evidence"),
    Table(Webhook, "user", name="webhooks"),
    Table(WebhookSecret, "webhook__user", left_out="Secrets that sign webhooks."),
    Table(WebhookDelivery, "webhook__user", name="webhook_deliveries", secret=("lease",)),
    Table(WebhookAttempt, "delivery__webhook__user", name="webhook_attempts"),
)
