"""Outside validation services: asked about what our own engine leaves open, where plan and customer allow it.

`clients` speak each service's interface. `allowance` says which may be asked for an account and how often,
`booking` counts each question before it is asked, `health` is the circuit breaker, `routing` makes one
verdict of all answers, and `runner` asks. It knows no list: who asks for one hands over its
`QuestionsOfBatch`. Others use `runner` (`Asking`, `ask_now`), `allowance`, `booking.Asker` and
`routing.is_open`.
"""

__all__ = ["allowance", "booking", "clients", "health", "models", "routing", "runner", "sources"]
