import Check from "lucide-react/icons/check";
import Minus from "lucide-react/icons/minus";
import type { ReactNode } from "react";

import type { Subscription } from "../../../api/types";
import { formatMoney, formatNumber, formatCount } from "../../../lib/format";
import type { Checkout, Cycle, PackOffer, PlanOffer, Tables } from "./offers";
import { Badge } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { textColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { getPlanChangeAddress } from "../subscriptions/plan-choice";
import { BuyButton } from "./buy-button";
import { PlanMark } from "./plan-mark";
import { priceThousand } from "./recommendation";

const MONTHS = 12;

/** What was chosen on the public price list before signing in. */
function ChosenBadge(): ReactNode {
  return <Badge look={["Your choice", "accent"]} />;
}

/** What the account's own use speaks for; how it was worked out stands above. */
function RecommendedBadge(): ReactNode {
  return <Badge look={["Recommended", "accent"]} />;
}

interface ThousandPriceProps {
  /** In USD, as the catalogue writes it. */
  amount: string;
  addresses: number;
}

/** The same measure on every plan and pack. */
function ThousandPrice({ amount, addresses }: ThousandPriceProps): ReactNode {
  const price = priceThousand(amount, addresses);
  if (price === null) return null;
  return (
    <p className="muted small nums" title="When all of them are used">
      {formatMoney(price)} for 1,000 addresses
    </p>
  );
}

interface PlanPricesProps {
  chosen?: string | null;
  /** The plan that fits the account's own use, if one does. */
  recommended?: string | null;
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

function PlanThousandPrice({ plan, cycle }: { plan: PlanOffer; cycle: Cycle }): ReactNode {
  const yearly = cycle === "yearly" ? plan.yearly : null;
  return (
    <ThousandPrice amount={yearly ?? plan.monthly} addresses={yearly ? MONTHS * plan.limit : plan.limit} />
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
    return (
      <ButtonLink href={getPlanChangeAddress({ plan: plan.id, cycle })}>Change to {plan.name}</ButtonLink>
    );
  }
  const purchase = { kind: "subscription", item: plan.id, cycle } as const;
  return <BuyButton label={`Choose ${plan.name}`} purchase={purchase} checkout={checkout} />;
}

interface PlanBadgesProps extends PlanPricesProps {
  plan: PlanOffer;
}

function PlanBadges({ plan, subscription, cycle, chosen, recommended }: PlanBadgesProps): ReactNode {
  const { subscription_plan, subscription_status, billing_cycle } = subscription;
  const own = plan.id === subscription_plan;
  return (
    <>
      {plan.id === chosen ? <ChosenBadge /> : null}
      {plan.id === recommended ? <RecommendedBadge /> : null}
      {own && subscription_status === "trial" ? <Badge look={["On trial", "accent"]} /> : null}
      {own && hasRunningPlan(subscription) && !isCurrentPlan(plan, subscription, cycle) ? (
        <Badge look={[`Yours, billed ${billing_cycle}`, "accent"]} />
      ) : null}
    </>
  );
}

/** The plans side by side; the account's own is ringed. */
export function PlanPrices(props: PlanPricesProps): ReactNode {
  const { tables, subscription, cycle } = props;
  return (
    <ul className="offers">
      {tables.plans.map((plan, rank) => (
        <li
          key={plan.id}
          className="card offer"
          aria-current={plan.id === subscription.subscription_plan ? "true" : undefined}
        >
          <h2>
            <PlanMark rank={rank} />
            {plan.name}
            <PlanBadges {...props} plan={plan} />
          </h2>
          <PlanPrice plan={plan} cycle={cycle} />
          <p className="nums">{formatNumber(plan.limit)} validations per month</p>
          <PlanThousandPrice plan={plan} cycle={cycle} />
          <PlanAction {...props} plan={plan} />
        </li>
      ))}
    </ul>
  );
}

interface PackPricesProps {
  chosen?: string | null;
  /** The pack that fits the account's own use, if one does. */
  recommended?: string | null;
  packs: PackOffer[];
  /** The heading of a pack, below that of the page or of a section. */
  level?: "h2" | "h3";
  checkout: Checkout;
}

/** Credits bought once. */
export function PackPrices(props: PackPricesProps): ReactNode {
  const { packs, checkout, chosen, recommended, level: Heading = "h2" } = props;
  return (
    <ul className="offers">
      {packs.map((pack) => (
        <li key={pack.id} className="card offer">
          <Heading>
            {formatCount(pack.credits, "credit")}
            {pack.id === chosen ? <ChosenBadge /> : null}
            {pack.id === recommended ? <RecommendedBadge /> : null}
            {pack.best_value ? <Badge look={["Best Value", "accent"]} /> : null}
          </Heading>
          <p className="price">
            <strong>{pack.price}</strong> <span className="muted">once</span>
          </p>
          <p className="muted small nums">{pack.per_credit} per credit, never expires</p>
          <ThousandPrice amount={pack.price} addresses={pack.credits} />
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
