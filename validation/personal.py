"""The personal data in the tables of lists and results."""

from emailcheck.common.personal import OrganisationTable
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch
from validation.batches.retention import removal
from validation.batches.samples.models import Sample
from validation.batches.uploads import drafts
from validation.batches.uploads.models import Upload
from validation.daily import rollups
from validation.daily.models import Day
from validation.first_hour.models import FirstHour
from validation.providers.models import ProviderMonth, Question
from validation.results.models import Evidence, RepairedAddress, Result
from validation.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery, WebhookSecret

TABLES = (
    OrganisationTable(Day, "organisation", name="days", erase=rollups.erase_days),
    OrganisationTable(Batch, "organisation", name="batches", secret=("file",), erase=removal.erase_batches),
    OrganisationTable(
        Upload, "organisation", name="uploads", secret=("file", "sorted_file", "known_file"), erase=drafts.erase_uploads
    ),
    OrganisationTable(Sample, "organisation", name="samples", secret=("lease",)),
    OrganisationTable(
        Chunk,
        "batch__organisation",
        left_out="The working copy of lists that are being checked; the results repeat it.",
    ),
    OrganisationTable(FirstHour, "organisation", name="first_hour"),
    OrganisationTable(Question, "organisation", name="questions_to_providers", secret=("lease",)),
    OrganisationTable(ProviderMonth, "organisation", name="questions_a_month"),
    OrganisationTable(Result, "organisation", name="validations"),
    OrganisationTable(Evidence, "batch__organisation", name="evidence"),
    OrganisationTable(RepairedAddress, "batch__organisation", name="repaired_addresses"),
    OrganisationTable(Webhook, "organisation", name="webhooks"),
    OrganisationTable(WebhookSecret, "webhook__organisation", left_out="Secrets that sign webhooks."),
    OrganisationTable(WebhookDelivery, "webhook__organisation", name="webhook_deliveries", secret=("lease",)),
    OrganisationTable(WebhookAttempt, "delivery__webhook__organisation", name="webhook_attempts"),
)
