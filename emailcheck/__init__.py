"""Wiring (settings, routes, schedules, pages of several apps) and what lies beneath and beside the apps.

`common` is the shared core that every app stands on, `public` the pages without a sign-in, `sandbox` the simulated
outside world, which the product never imports.
"""
