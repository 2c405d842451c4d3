from importlib import import_module

from django.apps import AppConfig


class BillingConfig(AppConfig):
    name = "billing"
    verbose_name = "Money and credits"

    def ready(self) -> None:
        from billing.ledger import balances
        from billing.payments import fulfilment
        from billing.payments.models import PurchaseKind
        from billing.personal import TABLES
        from billing.subscriptions import entitlements, members
        from billing.subscriptions.lifecycle import signup, switching
        from emailcheck.common import personal, registry

        import_module("billing.receivers")
        registry.above.load_account_summary = entitlements.build_account_summary
        registry.above.sum_credits_by_kind = balances.sum_credits_by_kind
        registry.above.find_requests_per_minute = entitlements.find_rate_limit
        registry.above.count_member_credits = members.count_member_credits
        registry.above.rate_relation = "subscription"
        personal.add_tables(*TABLES)
        fulfilment.register_fulfilment(PurchaseKind.SUBSCRIPTION, signup.begin_plan)
        fulfilment.register_fulfilment(PurchaseKind.PLAN_CHANGE, switching.apply_paid_change)
