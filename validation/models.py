"""The models of the app, for Django. Each lives beside its subject; import them from there."""

from validation.batches.chunks.models import Chunk as Chunk
from validation.batches.models import Batch as Batch
from validation.batches.samples.models import Sample as Sample
from validation.batches.uploads.models import Upload as Upload
from validation.daily.models import Day as Day
from validation.daily.models import DayOfAll as DayOfAll
from validation.egress.models import EgressAddress as EgressAddress
from validation.first_hour.models import FirstHour as FirstHour
from validation.providers.models import ProviderDay as ProviderDay
from validation.providers.models import ProviderMonth as ProviderMonth
from validation.providers.models import ProviderState as ProviderState
from validation.providers.models import Question as Question
from validation.results.models import Evidence as Evidence
from validation.results.models import RepairedAddress as RepairedAddress
from validation.results.models import Result as Result
from validation.verifier.models import DomainMemory as DomainMemory
from validation.webhooks.models import Webhook as Webhook
from validation.webhooks.models import WebhookAttempt as WebhookAttempt
from validation.webhooks.models import WebhookDelivery as WebhookDelivery
from validation.webhooks.models import WebhookHost as WebhookHost
from validation.webhooks.models import WebhookSecret as WebhookSecret
