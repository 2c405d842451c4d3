"""News from the lists that apps above may want to hear; sent inside the transaction of the change."""

from django.dispatch import Signal

batch_started = Signal()
"""`batch`: workers have begun with a batch; once each time it waits: at first, after a pause, for a second look."""

batch_finished = Signal()
"""`batch`: every address of a batch has its verdict and its credits are settled. Once for each batch."""

batch_stopped = Signal()
"""`batch`: a batch was cancelled or has failed; what was done is kept, its credits are settled. Once for each batch."""

batch_rechecked = Signal()
"""`batch`: a second look at some rows of a batch is over, its counts are new. Once for each look."""

batch_expiring = Signal()
"""`batch`: the results of a batch will be removed at its `expires_at`, in seven days or less."""

routes_used = Signal()
"""`news`: how mail operators took the engine of this process on each way out, as `engine.RouteReport`."""
