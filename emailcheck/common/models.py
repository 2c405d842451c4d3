"""The tables of the shared core, collected for Django. Import each from the package that it belongs to."""

from emailcheck.common.api.models import IdempotentCall
from emailcheck.common.files.models import PendingDeletion
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.queue.models import RestartRequest, WorkerHeartbeat
from emailcheck.common.shared_state.models import Machine
