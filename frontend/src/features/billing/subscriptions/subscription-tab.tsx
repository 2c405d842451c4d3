import type { ReactNode } from "react";

import type { Credits, Subscription } from "../../../api/types";
import { formatDateTime, formatMoney, formatNumber, formatShortDate, NO_VALUE } from "../../../lib/format";
import type { PackOffer } from "../catalogue/offers";
import { canStartTrial, useCredits, useSubscription } from "./use-subscription";
import { formatPlan, toSentenceCase } from "../../../lib/labels";
import { ButtonLink } from "../../../ui/button";
import { Section } from "../../../ui/section";
import { SectionNav, type SectionName } from "../../../ui/section-nav";
import { ErrorState, Loaded, SkeletonCards } from "../../../ui/states";
import { PlanActions } from "./plan-actions";
import { PlanNotices } from "./plan-notices";
import { canChangePlan, PlanChangeCard } from "./plan-change-card";
import { UsageAlerts } from "../ledger/usage-alerts";
import { Invoices } from "../invoices/invoices";
import { OpenPayments } from "../payments/open-payments";
import { PacksCard } from "../catalogue/packs-card";
import { Statement } from "../ledger/statement";
import { TrialCard } from "./trial";
import { useLoadToast } from "../../../lib/use-action";

function formatOptionalDate(at: string | null): string {
  return at ? formatDateTime(at) : NO_VALUE;
}

interface FigureProps {
  name: string;
  notes: (string | null)[];
  children: ReactNode;
}

function Figure({ name, notes, children }: FigureProps): ReactNode {
  return (
    <div className="card count">
      <dt>{name}</dt>
      <dd>{children}</dd>
      {notes.map((note) =>
        note === null ? null : (
          <dd key={note} className="figure-note muted small">
            {note}
          </dd>
        ),
      )}
    </div>
  );
}

function formatStatusNote({ subscription_status, trial_ends_at, billing_cycle }: Subscription): string {
  if (subscription_status === "trial") return `Trial, ends ${formatOptionalDate(trial_ends_at)}`;
  return billing_cycle ? `${toSentenceCase(subscription_status)}, billed ${billing_cycle}` : "Active";
}

const PAID_ONCE = "Next billing date: none, packs are paid once";
const FATES = { refunded: "refunded", charged_back: "charged back" } as const;

/** The newest payment, whatever it was for, and whether it went back. */
function formatLastPayment({ last_payment: last }: Subscription): string {
  if (last === null) return "No payment yet";
  const paid = `Last payment ${formatShortDate(last.date)}, ${formatMoney(last.amount, last.currency)}`;
  if (last.status === "captured") return paid;
  const day = last.refunded_at ? ` on ${formatShortDate(last.refunded_at)}` : "";
  return `${paid}, ${FATES[last.status]}${day}`;
}

/** Whether nothing is charged again after a pack; a plan whose charge failed is still to be paid. */
function isPaidOnce({ subscription_status, next_billing_date, last_payment }: Subscription): boolean {
  return subscription_status !== "past_due" && next_billing_date === null && last_payment?.is_pack === true;
}

function SubscriptionCards({ subscription }: { subscription: Subscription }): ReactNode {
  const { subscription_plan, credits, plan_credits, pack_credits, monthly_usage, monthly_limit } =
    subscription;
  const due = subscription.next_billing_date;
  const isPaused = subscription.subscription_status === "paused";
  return (
    <dl className="plan-cards">
      <Figure name="Current plan" notes={[formatStatusNote(subscription)]}>
        {formatPlan(subscription_plan)}
      </Figure>
      <Figure
        name="Credits"
        notes={[
          `${formatNumber(plan_credits)} ${isPaused ? "frozen" : "expiring"}, ${formatNumber(pack_credits)} from packs`,
        ]}
      >
        {formatNumber(credits)}
      </Figure>
      <Figure
        name="Usage this month"
        notes={[monthly_limit > 0 ? `of ${formatNumber(monthly_limit)} a month` : "no limit a month"]}
      >
        {formatNumber(monthly_usage)}
      </Figure>
      <Figure
        name="Next billing date"
        notes={[formatLastPayment(subscription), isPaidOnce(subscription) ? PAID_ONCE : null]}
      >
        {due ? formatShortDate(due) : isPaidOnce(subscription) ? "None" : NO_VALUE}
      </Figure>
    </dl>
  );
}

type Status = Subscription["subscription_status"];

const NONE_DUE: Partial<Record<Status, string>> = {
  paused: "No plan credits can be spent while the plan is paused.",
  past_due: "No plan credits are added until the payment has gone through.",
};

function formatRenewal(resets_at: string | null, status: Status = "active"): string {
  if (resets_at)
    return `Plan credits renew on ${formatOptionalDate(resets_at)}; unused ones do not roll over.`;
  return NONE_DUE[status] ?? "No more plan credits will be added.";
}

interface LotProps {
  name: string;
  origin?: string;
  amount: number;
  until: string;
}

function Lot({ name, origin, amount, until }: LotProps): ReactNode {
  return (
    <li className="list-row list-row-short">
      <span className="grow">
        {name} {origin ? <span className="muted small">· {origin}</span> : null}
      </span>
      <strong className="nums">{formatNumber(amount)}</strong>
      <span className="muted list-time">{until}</span>
    </li>
  );
}

interface LotsProps {
  credits: Credits;
  status: Status | undefined;
}

function Lots({ credits, status }: LotsProps): ReactNode {
  return (
    <>
      <p className="muted">
        {formatRenewal(credits.resets_at, status)} Packs never expire. What expires first is spent first.
      </p>
      <ul className="list-rows">
        {credits.lots.map(({ kind, origin, remaining, expires_at }, index) => (
          <Lot
            key={index}
            name={toSentenceCase(kind)}
            origin={origin}
            amount={remaining}
            until={expires_at ? `until ${formatOptionalDate(expires_at)}` : "never expires"}
          />
        ))}
        {credits.frozen_lots.map(({ kind, origin, frozen }, index) => (
          <Lot key={index} name={toSentenceCase(kind)} origin={origin} amount={frozen} until="frozen" />
        ))}
        {credits.held > 0 ? (
          <Lot name="Held for running lists" amount={credits.held} until="unused ones come back" />
        ) : null}
      </ul>
    </>
  );
}

function LotsCard(): ReactNode {
  const subscription = useSubscription();
  const credits = useCredits();
  return (
    <Section id="lots-heading" title="Your credits" card anchor="credits">
      <Loaded query={credits} fallback="Failed to load your credits" rows={3}>
        {(found) => <Lots credits={found} status={subscription.data?.subscription_status} />}
      </Loaded>
    </Section>
  );
}

/** A free account without a trial to start is shown the plans. */
function UpgradeHint(): ReactNode {
  return (
    <div className="notice" role="note">
      <p>All plans are on the Upgrade page.</p>
      <ButtonLink href="/dashboard?tab=pricing">See the plans</ButtonLink>
    </div>
  );
}

/** The sections that are there: no plan can be changed on Free, and staff may have no packs to show. */
function listSections(packs: PackOffer[], subscription: Subscription | undefined): SectionName[] {
  return [
    ["plan", "Your plan"],
    ...(subscription && canChangePlan(subscription) ? [["change-plan", "Change plan"] as const] : []),
    ...(packs.length > 0 ? [["packs", "Credit packs"] as const] : []),
    ["credits", "Your credits"],
    ["invoices", "Invoices"],
    ["statement", "Credit statement"],
    ["usage-alerts", "Usage alerts"],
  ];
}

interface PlanPartProps {
  subscription: Subscription;
}

/** What is going on with the plan, and what can be done with it. */
function PlanPart({ subscription }: PlanPartProps): ReactNode {
  return (
    <div className="stack anchor" id="plan">
      <PlanNotices subscription={subscription} />
      <SubscriptionCards subscription={subscription} />
      {canStartTrial(subscription) ? <TrialCard /> : null}
      {subscription.subscription_plan === "free" ? <UpgradeHint /> : null}
      <PlanActions subscription={subscription} />
    </div>
  );
}

/** The tab Manage Subscription: plan, credits, statement, alerts. */
export function SubscriptionTab({ packs = [] }: { packs?: PackOffer[] }): ReactNode {
  const subscription = useSubscription();
  useLoadToast(subscription, "Failed to load subscription information");
  return (
    <div className="stack">
      <SectionNav sections={listSections(packs, subscription.data)} />
      <OpenPayments />
      {subscription.data ? (
        <>
          <PlanPart subscription={subscription.data} />
          {canChangePlan(subscription.data) ? <PlanChangeCard subscription={subscription.data} /> : null}
        </>
      ) : subscription.isError ? (
        <Section id="plan-heading" title="Your plan" card anchor="plan">
          <ErrorState query={subscription} fallback="Failed to load subscription information" />
        </Section>
      ) : (
        <SkeletonCards count={4} />
      )}
      {packs.length > 0 ? <PacksCard packs={packs} /> : null}
      <LotsCard />
      <Invoices />
      <Statement />
      <UsageAlerts />
    </div>
  );
}
