"""Signals of lists for the apps above, sent inside the transaction of the change."""

from django.dispatch import Signal

batch_started = Signal()
"""`batch`: workers have started a batch. Sent after each wait: at first, after a pause, for a re-check."""

batch_finished = Signal()
"""`batch`: every address has its verdict and the credits are settled. Once for each batch."""

batch_stopped = Signal()
"""`batch`: a batch was cancelled or has failed. Its results stay, its credits are settled. Once for each batch."""

batch_rechecked = Signal()
"""`batch`: a re-check of some rows has ended, the counts are new. Once for each re-check."""

batch_expiring = Signal()
"""`batch`: the results of a batch will be removed at its `expires_at`, in seven days or less."""

routes_used = Signal()
"""`reports`: how mail operators replied to this process's engine on each route, as `engine.RouteReport`."""
