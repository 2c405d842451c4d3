import type { ReactNode } from "react";

import type { Subscription } from "../api/types";
import { OwnUseNote } from "../features/billing/catalogue/own-use-note";
import {
  recommendPack,
  recommendPlan,
  type OwnUse,
  type Recommendation,
} from "../features/billing/catalogue/recommendation";
import { useOwnUse } from "../features/billing/catalogue/use-own-use";
import { OpenPayments } from "../features/billing/payments/open-payments";
import { PlanComparison, PackPrices, PlanPrices } from "../features/billing/catalogue/prices";
import { SecondPaymentQuestion } from "../features/billing/payments/second-payment-question";
import { TrialCard } from "../features/billing/subscriptions/trial";
import { useCheckout } from "../features/billing/payments/use-checkout";
import { formatDateTime, formatNumber, formatCount } from "../lib/format";
import { CYCLES, type Checkout, type Cycle, type Tables } from "../features/billing/catalogue/offers";
import { canStartTrial, useSubscription } from "../features/billing/subscriptions/use-subscription";
import { useUrlState } from "../lib/url-state";
import { formatPlan } from "../lib/labels";
import { Badge } from "../ui/badge";
import { ButtonLink } from "../ui/button";
import { PageHead } from "../ui/page-head";
import { findOption, SegmentedControl } from "../ui/segmented-control";
import { ErrorState, SkeletonPage } from "../ui/states";
import { useLoadToast } from "../lib/use-action";

const WAYS = { monthly: "Monthly Pricing", payasyougo: "Pay As You Go" } as const;

/** The chosen tables, in the address: what is not the first choice is named there; and an offer chosen before. */
function usePricingChoice() {
  const [url, update] = useUrlState();
  return {
    way: findOption(WAYS, url.get("pricing"), "monthly"),
    cycle: findOption(CYCLES, url.get("billing"), "monthly"),
    plan: url.get("plan"),
    pack: url.get("pack"),
    setWay: (way: string) => update({ pricing: way === "monthly" ? null : way }),
    setCycle: (cycle: Cycle) => update({ billing: cycle === "monthly" ? null : cycle }),
  };
}

function formatLead(subscription: Subscription): string {
  const { subscription_plan, subscription_status, credits, trial_ends_at, unknown_costs } = subscription;
  const plan = `You are on ${formatPlan(subscription_plan)}`;
  const until =
    subscription_status === "trial" && trial_ends_at
      ? `, on trial until ${formatDateTime(trial_ends_at)}`
      : "";
  return `${plan}${until}, with ${formatCount(credits, "credit")}. ${unknown_costs}`;
}

/** What fits the account's own use, of what is shown. */
function findFitting(use: OwnUse, tables: Tables, way: keyof typeof WAYS): Recommendation {
  return way === "monthly"
    ? recommendPlan(use, tables.plans, tables.sales_from)
    : recommendPack(use, tables.packs);
}

interface PageProps {
  tables: Tables;
  subscription: Subscription;
}

interface OffersProps extends PageProps {
  choice: ReturnType<typeof usePricingChoice>;
  checkout: Checkout;
}

/** What is sold, with what fits the account's own use marked. */
function Offers({ tables, subscription, choice, checkout }: OffersProps): ReactNode {
  const { way, cycle, plan, pack } = choice;
  const use = useOwnUse(subscription.subscription_plan);
  const fitting = use.data ? findFitting(use.data, tables, way) : null;
  const recommended = fitting?.id ?? null;
  return (
    <>
      <OwnUseNote use={use} recommendation={fitting} />
      {way === "monthly" ? (
        <PlanPrices {...{ tables, subscription, cycle, checkout, recommended }} chosen={plan} />
      ) : (
        <PackPrices packs={tables.packs} {...{ checkout, recommended }} chosen={pack} />
      )}
    </>
  );
}

function Page({ tables, subscription }: PageProps): ReactNode {
  const choice = usePricingChoice();
  const { way, cycle, setWay, setCycle } = choice;
  const checkout = useCheckout();
  return (
    <>
      <PageHead title="Upgrade" lead={formatLead(subscription)} />
      <div className="stack">
        <OpenPayments />
        {canStartTrial(subscription) ? <TrialCard /> : null}
        <div className="row row-between">
          <SegmentedControl label="Pricing" value={way} options={WAYS} onChange={setWay} />
          {way === "monthly" ? (
            <div className="row billing-period">
              <SegmentedControl label="Billing period" value={cycle} options={CYCLES} onChange={setCycle} />
              <Badge look={[tables.saving, "accent"]} />
            </div>
          ) : null}
        </div>
        <Offers tables={tables} subscription={subscription} choice={choice} checkout={checkout} />
        <section className="card row row-between" aria-labelledby="enterprise-title">
          <div className="stack-1">
            <h2 id="enterprise-title">Enterprise</h2>
            <p className="muted">{formatNumber(tables.sales_from)}+ emails: a custom price.</p>
          </div>
          <ButtonLink href="/contact">Contact sales</ButtonLink>
        </section>
        <PlanComparison tables={tables} current={subscription.subscription_plan} />
      </div>
      <SecondPaymentQuestion asking={checkout.asking} />
    </>
  );
}

interface PricingProps {
  tables: Tables;
}

/** The tab Upgrade: the current plan, what else there is, and what each includes. */
export default function Pricing({ tables }: PricingProps): ReactNode {
  const subscription = useSubscription();
  useLoadToast(subscription, "Failed to load subscription information");
  if (subscription.data) return <Page tables={tables} subscription={subscription.data} />;
  if (!subscription.isError) return <SkeletonPage />;
  return (
    <>
      <PageHead title="Upgrade" lead="Plans by the month or by the year, and credits that never expire." />
      <ErrorState query={subscription} fallback="Failed to load subscription information" />
    </>
  );
}
