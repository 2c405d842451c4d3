"""Outside validation services, asked about addresses that our engine cannot decide, where plan and customer allow it.

`clients` implement each service's API. `allowance` decides which providers an account may use, and how often. `booking`
counts each question before it is sent, `health` is the circuit breaker, `routing` combines all answers into one
verdict, and `runner` makes the calls. The package knows no lists; their callers pass `QuestionsOfBatch`. Other packages
use `runner` (`ProviderRun`, `ask_providers`), `allowance` and `booking.QuestionBudget`.
"""

__all__ = ["allowance", "booking", "clients", "health", "models", "routing", "runner", "sources"]
