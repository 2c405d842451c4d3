import { useState, type ReactNode } from "react";

import type { PlanCatalogue, Subscription } from "../../../api/types";
import { formatNumber, formatUsd } from "../../../lib/format";
import { readPlanChoice, type PlanChoice } from "./plan-choice";
import { usePlanCatalogue } from "./use-plan-changes";
import { CYCLES, type Cycle, type PaidPlan } from "../catalogue/offers";
import { useUrlState } from "../../../lib/url-state";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Section } from "../../../ui/section";
import { SegmentedControl } from "../../../ui/segmented-control";
import { Loaded } from "../../../ui/states";
import { PlanMark } from "../catalogue/plan-mark";
import { PlanChangePreview } from "./plan-change-preview";

const ORDER: readonly string[] = ["starter", "growth", "pro"];
const MONTHS = 12;

const CURRENT = "Current Plan";
const UPGRADE = "Upgrade";

type Offer = PlanCatalogue["plans"][number];

function getOwnPlanLabel({ billing_cycle }: Subscription, cycle: Cycle): string {
  return billing_cycle === null || cycle === billing_cycle ? CURRENT : "Switch Plan";
}

/** What the button of a plan says: while one is being tried, none is bought yet. */
export function getChangeLabel(subscription: Subscription, { plan, cycle }: PlanChoice): string {
  const { subscription_plan, subscription_status } = subscription;
  if (subscription_status === "trial") return UPGRADE;
  if (plan === subscription_plan) return getOwnPlanLabel(subscription, cycle);
  const from = ORDER.indexOf(subscription_plan);
  if (from === -1) return "Switch Plan";
  return ORDER.indexOf(plan) > from ? UPGRADE : "Downgrade";
}

/** Whether plans can be changed now: not on Free, not while paused, cancelled or unpaid. */
export function canChangePlan({ subscription_plan, subscription_status }: Subscription): boolean {
  return subscription_plan !== "free" && ["active", "trial"].includes(subscription_status);
}

interface OfferProps {
  offer: Offer;
  rank: number;
  cycle: Cycle;
  subscription: Subscription;
  onChoose: (choice: PlanChoice) => void;
}

function ChooseButton({ offer, cycle, subscription, onChoose }: Omit<OfferProps, "rank">): ReactNode {
  const choice = { plan: offer.id as PaidPlan, cycle };
  const label = getChangeLabel(subscription, choice);
  if (label === CURRENT) return <Button disabled>{label}</Button>;
  const isTried = subscription.subscription_status === "trial";
  const isFirst = isTried ? offer.id === subscription.subscription_plan : label === UPGRADE;
  return (
    <Button
      kind={isFirst ? "primary" : "plain"}
      aria-label={`${label} to ${offer.name}, billed ${cycle}`}
      onClick={() => onChoose(choice)}
    >
      {label}
    </Button>
  );
}

function OfferCard(props: OfferProps): ReactNode {
  const { offer, rank, cycle, subscription } = props;
  const isCurrent = getChangeLabel(subscription, { plan: offer.id as PaidPlan, cycle }) === CURRENT;
  const isYearly = cycle === "yearly";
  return (
    <li className={isCurrent ? "change-offer change-offer-current" : "change-offer"}>
      <h3>
        <PlanMark rank={rank} />
        {offer.name}
      </h3>
      <p className="price">
        <strong>{formatUsd(isYearly ? offer.yearlyPrice : offer.monthlyPrice)}</strong>{" "}
        <span className="muted">{isYearly ? "a year" : "a month"}</span>
      </p>
      <p className="muted small nums">
        {formatNumber(offer.limit)} credits a month
        {isYearly ? `, saves ${formatUsd(MONTHS * offer.monthlyPrice - offer.yearlyPrice)}` : ""}
      </p>
      <ChooseButton {...props} />
    </li>
  );
}

/** What is chosen here; at first what was chosen on the tab Upgrade, unless that is what the account has. */
function useCarriedChoice(subscription: Subscription) {
  const [url, update] = useUrlState();
  const [choice, setChoice] = useState<PlanChoice | null>(() => {
    const carried = readPlanChoice(url);
    return carried && getChangeLabel(subscription, carried) !== CURRENT ? carried : null;
  });
  const choose = (chosen: PlanChoice | null) => {
    if (url.has("plan")) update({ plan: null, billing: null }, "replace");
    setChoice(chosen);
  };
  return [choice, choose] as const;
}

/** The other plans, and what it takes to change to them. */
export function PlanChangeCard({ subscription }: { subscription: Subscription }): ReactNode {
  const plans = usePlanCatalogue();
  const [choice, setChoice] = useCarriedChoice(subscription);
  const [cycle, setCycle] = useState<Cycle>(choice?.cycle ?? subscription.billing_cycle ?? "monthly");
  return (
    <Section
      id="change-heading"
      title="Change plan"
      card
      anchor="change-plan"
      aside={
        <div className="row billing-period">
          <SegmentedControl label="Billing period" options={CYCLES} value={cycle} onChange={setCycle} />
          <Badge look={["Save 17%", "accent"]} />
        </div>
      }
    >
      <Loaded query={plans} fallback="Failed to load the plans" rows={3}>
        {(found) => (
          <ul className="change-offers">
            {found.plans.map((offer, rank) =>
              offer.id === "free" ? null : (
                <OfferCard
                  key={offer.id}
                  offer={offer}
                  rank={rank}
                  cycle={cycle}
                  subscription={subscription}
                  onChoose={setChoice}
                />
              ),
            )}
          </ul>
        )}
      </Loaded>
      {choice ? (
        <PlanChangePreview choice={choice} subscription={subscription} onClose={() => setChoice(null)} />
      ) : null}
    </Section>
  );
}
