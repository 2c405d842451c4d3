"""News from the lists that apps above may want to hear; sent inside the transaction of the change."""

from django.dispatch import Signal

batch_finished = Signal()
"""`batch`: every address of a batch has its verdict and its credits are settled."""
