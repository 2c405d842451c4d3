import Check from "lucide-react/icons/check";
import Minus from "lucide-react/icons/minus";
import type { ReactNode } from "react";

import type { Subscription } from "../../../api/types";
import { formatNumber, formatCount } from "../../../lib/format";
import type { Checkout, Cycle, PackOffer, PlanOffer, Tables } from "./offers";
import { Badge } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { textColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { BuyButton } from "./buy-button";

/** What was chosen on the public price list before signing in. */
function ChosenBadge(): ReactNode {
  return <Badge look={["Your choice", "accent"]} />;
}

interface PlanPricesProps {
  chosen?: string | null;
  tables: Tables;
  subscription: Subscription;
  cycle: Cycle;
  checkout: Checkout;
}

function formatBilling({ yearly }: PlanOffer, cycle: Cycle): string {
  if (yearly === null) return "No credit card";
  return cycle === "yearly" ? `${yearly} billed yearly` : "Billed monthly";
}

function PlanPrice({ plan, cycle }: { plan: PlanOffer; cycle: Cycle }): ReactNode {
  const perMonth = cycle === "yearly" ? plan.yearly_per_month : null;
  return (
    <>
      <p className="price">
        <strong>{perMonth ?? plan.monthly}</strong> <span className="muted">per month</span>
      </p>
      <p className="muted small">{formatBilling(plan, cycle)}</p>
    </>
  );
}

function isCurrentPlan({ id }: PlanOffer, subscription: Subscription, cycle: Cycle): boolean {
  const { subscription_plan, subscription_status, billing_cycle } = subscription;
  if (id !== subscription_plan || subscription_status === "trial") return false;
  return id === "free" || billing_cycle === null || billing_cycle === cycle;
}

/** A running plan is changed, not bought again. */
function hasRunningPlan({ subscription_plan, subscription_status }: Subscription): boolean {
  return subscription_plan !== "free" && subscription_status !== "trial";
}

function PlanAction({
  plan,
  subscription,
  cycle,
  checkout,
}: PlanPricesProps & { plan: PlanOffer }): ReactNode {
  if (isCurrentPlan(plan, subscription, cycle)) return <Button disabled>Current Plan</Button>;
  if (plan.id === "free") return null;
  if (hasRunningPlan(subscription)) {
    const change = "/account-settings?tab=subscription#change-plan";
    return <ButtonLink href={change}>Change to {plan.name}</ButtonLink>;
  }
  const purchase = { kind: "subscription", item: plan.id, cycle } as const;
  return <BuyButton label={`Choose ${plan.name}`} purchase={purchase} checkout={checkout} />;
}

/** The plans side by side. */
export function PlanPrices(props: PlanPricesProps): ReactNode {
  const { tables, subscription, cycle, chosen } = props;
  return (
    <ul className="offers">
      {tables.plans.map((plan) => (
        <li key={plan.id} className="card offer">
          <h2>
            <span className="offer-mark" style={{ background: plan.color }} aria-hidden />
            {plan.name}
            {plan.id === chosen ? <ChosenBadge /> : null}
            {plan.id === subscription.subscription_plan && subscription.subscription_status === "trial" ? (
              <Badge look={["On trial", "accent"]} />
            ) : null}
          </h2>
          <PlanPrice plan={plan} cycle={cycle} />
          <p className="nums">{formatNumber(plan.limit)} validations per month</p>
          <PlanAction {...props} plan={plan} />
        </li>
      ))}
    </ul>
  );
}

interface PackPricesProps {
  chosen?: string | null;
  packs: PackOffer[];
  /** The heading of a pack, below that of the page or of a section. */
  level?: "h2" | "h3";
  checkout: Checkout;
}

/** Credits bought once. */
export function PackPrices({ packs, checkout, chosen, level: Heading = "h2" }: PackPricesProps): ReactNode {
  return (
    <ul className="offers">
      {packs.map((pack) => (
        <li key={pack.id} className="card offer">
          <Heading>
            {formatCount(pack.credits, "credit")}
            {pack.id === chosen ? <ChosenBadge /> : null}
            {pack.best_value ? <Badge look={["Best Value", "valid"]} /> : null}
          </Heading>
          <p className="price">
            <strong>{pack.price}</strong> <span className="muted">once</span>
          </p>
          <p className="muted small nums">{pack.per_credit} per credit, never expires</p>
          <BuyButton
            label={`Buy ${formatNumber(pack.credits)} credits`}
            purchase={{ kind: "credits", item: pack.id }}
            checkout={checkout}
          />
        </li>
      ))}
    </ul>
  );
}

function Cell({ value }: { value: string | boolean }): ReactNode {
  if (typeof value === "string") return value;
  return value ? (
    <Check size={18} role="img" aria-label="Included" />
  ) : (
    <Minus size={18} role="img" aria-label="Not included" className="muted" />
  );
}

type Comparison = Tables["comparison"][number];

/** What each plan includes, row by row. */
export function PlanComparison({ tables, current }: { tables: Tables; current: string }): ReactNode {
  const plans = tables.plans.map(({ id, name }, index): Column<Comparison> => ({
    key: id,
    title: name,
    cell: ({ values }) => <Cell value={values[index] ?? false} />,
  }));
  return (
    <DataTable
      label="What is included"
      phone="cards"
      className="comparison"
      columns={[
        textColumn<Comparison>("name", "What is included", ({ name }) => name, { heads: true }),
        ...plans,
      ]}
      rows={tables.comparison}
      getKey={({ name }) => name}
      current={current}
    />
  );
}
