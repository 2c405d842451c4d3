"""The reports of the dashboard: totals, revenue, and what outside providers cost and achieve.

`providers` asks the providers for balances; `provider_alerts` gives the monitoring its conditions about
them.
"""

__all__ = ["api", "provider_alerts", "providers"]
