import type { ReactNode } from "react";

import type { Subscription } from "../api/types";
import { OpenPayments } from "../features/billing/payments/open-payments";
import { Comparison, Packs, Plans } from "../features/billing/catalogue/prices";
import { SecondPaymentQuestion } from "../features/billing/payments/second-payment";
import { TrialCard } from "../features/billing/subscriptions/trial";
import { useCheckout } from "../features/billing/payments/use-checkout";
import { formatDateTime, formatNumber, plural } from "../lib/format";
import { CYCLES, type Cycle, type Tables } from "../features/billing/catalogue/purchases";
import { mayTry, useSubscription } from "../features/billing/subscriptions/use-subscription";
import { useUrlState } from "../lib/url-state";
import { planWord } from "../lib/words";
import { ButtonLink } from "../ui/button";
import { PageHead } from "../ui/page-head";
import { optionOf, Segments } from "../ui/segments";
import { ErrorState, SkeletonPage } from "../ui/states";

const WAYS = { monthly: "Monthly Pricing", payasyougo: "Pay As You Go" } as const;

/** The chosen tables, in the address: what is not the first choice is named there; and an offer chosen before. */
function useChoice() {
  const [url, update] = useUrlState();
  return {
    way: optionOf(WAYS, url.get("pricing"), "monthly"),
    cycle: optionOf(CYCLES, url.get("billing"), "monthly"),
    plan: url.get("plan"),
    pack: url.get("pack"),
    setWay: (way: string) => update({ pricing: way === "monthly" ? null : way }),
    setCycle: (cycle: Cycle) => update({ billing: cycle === "monthly" ? null : cycle }),
  };
}

function lead(subscription: Subscription): string {
  const { subscription_plan, subscription_status, credits, trial_ends_at, unknown_costs } = subscription;
  const plan = `You are on ${planWord(subscription_plan)}`;
  const until =
    subscription_status === "trial" && trial_ends_at
      ? `, on trial until ${formatDateTime(trial_ends_at)}`
      : "";
  return `${plan}${until}, with ${plural(credits, "credit")}. ${unknown_costs}`;
}

interface PageProps {
  tables: Tables;
  subscription: Subscription;
}

function Page({ tables, subscription }: PageProps): ReactNode {
  const { way, cycle, plan, pack, setWay, setCycle } = useChoice();
  const checkout = useCheckout();
  return (
    <>
      <PageHead title="Upgrade" lead={lead(subscription)} />
      <div className="stack">
        <OpenPayments />
        {mayTry(subscription) ? <TrialCard /> : null}
        <div className="row row-between">
          <Segments label="Pricing" value={way} options={WAYS} onChange={setWay} />
          {way === "monthly" ? (
            <div className="row billing-period">
              <Segments label="Billing period" value={cycle} options={CYCLES} onChange={setCycle} />
              <span className="badge tone-valid">{tables.saving}</span>
            </div>
          ) : null}
        </div>
        {way === "monthly" ? (
          <Plans {...{ tables, subscription, cycle, checkout }} chosen={plan} />
        ) : (
          <Packs packs={tables.packs} checkout={checkout} chosen={pack} />
        )}
        <section className="card row row-between" aria-labelledby="enterprise-title">
          <div className="stack-1">
            <h2 id="enterprise-title">Enterprise</h2>
            <p className="muted">{formatNumber(tables.sales_from)}+ emails: a custom price.</p>
          </div>
          <ButtonLink href="/contact">Contact sales</ButtonLink>
        </section>
        <Comparison tables={tables} current={subscription.subscription_plan} />
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
  if (subscription.data) return <Page tables={tables} subscription={subscription.data} />;
  if (!subscription.isError) return <SkeletonPage />;
  return (
    <>
      <PageHead title="Upgrade" lead="Plans by the month or by the year, and credits that never expire." />
      <ErrorState query={subscription} fallback="Failed to load subscription information" />
    </>
  );
}
