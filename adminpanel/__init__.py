"""The dashboard of staff over all other apps: calls and what they need, and nothing that others import.

`customers`, `payments`, `reports`, `system`, `backups`; long work goes through `jobs`. `monitoring` is an app of its
own, which measures and knows no other part of the dashboard.
"""
