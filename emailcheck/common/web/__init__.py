"""What every page and call passes through: headers, size limit, durable answers, metrics, values for templates.

`metrics` counts requests and work on this machine; the monitoring stores the counts. `smtp_replies` words errors as
mail servers do. `released_files` has the files that pages of other versions ask for. The rest is named in the settings.
"""

__all__ = ["context", "metrics", "middleware", "models", "released_files", "smtp_replies"]
