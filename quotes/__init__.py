"""Custom plans, from a price request over a quote to a plan request that is paid and activated.

One package for each step (`requests`, `quotes`, `plan_requests`) with a service for each arrow of the state machine;
`custom_plans` are those that a customer chose without asking.
"""
