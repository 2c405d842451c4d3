import { useEffect, type ReactNode } from "react";

import type { PlanChange, Subscription } from "../../../api/types";
import { formatLongDate, formatNumber, formatUsd } from "../../../lib/format";
import { sayChangeFailure, useConfirmPlanChange, usePlanChangePreview } from "./use-plan-changes";
import type { PlanChoice } from "./plan-choice";
import { useSecondPayment } from "../payments/use-second-payment";
import { formatPlan } from "../../../lib/labels";
import { ActDialog } from "../../../ui/dialog";
import { Facts } from "../../../ui/facts";
import { SkeletonRows } from "../../../ui/states";
import { SecondPaymentQuestion } from "../payments/second-payment-question";

interface FiguresProps {
  change: PlanChange;
  subscription: Subscription;
}

/** How the charge comes about, in one line. */
function formatCalculation({ change, subscription }: FiguresProps): string {
  const { billing_cycle: cycle, subscription_status } = subscription;
  const { current_plan_price, new_plan_price, days_remaining, total_days, billing_cycle } = change;
  const [before, after] = [formatUsd(current_plan_price), formatUsd(new_plan_price)];
  const share = `${days_remaining} of ${total_days} days left`;
  if (subscription_status === "trial") return "The plan is charged in full from now, and your trial ends";
  if (current_plan_price === 0) return `${after} for the first period, from now`;
  if (cycle !== billing_cycle) return `${after} less ${before} for the ${share}; a new year starts now`;
  return `${after} less ${before}, for the ${share}`;
}

function formatNextCharge({ change, subscription }: FiguresProps): string {
  const amount = formatUsd(change.next_billing_amount);
  const isNewPeriod =
    change.current_plan_price === 0 ||
    (change.immediate_charge > 0 && subscription.billing_cycle !== change.billing_cycle);
  const at = subscription.next_billing_date;
  if (isNewPeriod) return `${amount} ${change.billing_cycle === "yearly" ? "in a year" : "in a month"}`;
  return at ? `${amount} on ${formatLongDate(at)}` : amount;
}

function formatCredits({ change, subscription }: FiguresProps): string {
  const { credits_now, credits_a_month, immediate_charge } = change;
  const monthly = `${formatNumber(credits_a_month)} a month`;
  if (credits_now > 0) return `${formatNumber(credits_now)} now, then ${monthly}`;
  const at = subscription.next_billing_date;
  return immediate_charge === 0 && at
    ? `No change until ${formatLongDate(at)}, then ${monthly}`
    : `None now, then ${monthly}`;
}

function Figures({ change, subscription }: FiguresProps): ReactNode {
  const { current_plan, new_plan, immediate_charge, billing_cycle } = change;
  const charge = (
    <>
      <strong>{formatUsd(immediate_charge)}</strong>
      <span className="muted small">
        {immediate_charge > 0
          ? formatCalculation({ change, subscription })
          : "Nothing is charged now; what you have paid for stays yours"}
      </span>
    </>
  );
  return (
    <Facts
      className="figures"
      facts={[
        ["Plan", `${formatPlan(current_plan)} → ${formatPlan(new_plan)}, billed ${billing_cycle}`],
        ["Charge now", charge],
        ["Next charge", formatNextCharge({ change, subscription })],
        ["Credits", formatCredits({ change, subscription })],
      ]}
    />
  );
}

interface PreviewProps {
  choice: PlanChoice;
  subscription: Subscription;
  onClose: () => void;
}

/** What the change costs, before it is confirmed. */
export function PlanChangePreview({ choice, subscription, onClose }: PreviewProps): ReactNode {
  const preview = usePlanChangePreview(choice);
  const { asking, begun } = useSecondPayment();
  const confirm = useConfirmPlanChange(onClose, begun);
  const { data, error } = preview;
  useEffect(() => {
    if (!error) return;
    sayChangeFailure(error, "Failed to preview plan change");
    onClose();
  }, [error, onClose]);
  return (
    <ActDialog
      title={`Change to ${formatPlan(choice.plan)}`}
      action={
        data && data.immediate_charge > 0
          ? `Pay ${formatUsd(data.immediate_charge)} with PayPal`
          : "Confirm change"
      }
      disabled={!data}
      busy={confirm.isPending || Boolean(confirm.data)}
      onAct={() => (data ? confirm.mutate(data) : undefined)}
      cancel="Not now"
      onClose={onClose}
    >
      {data ? <Figures change={data} subscription={subscription} /> : <SkeletonRows count={4} />}
      <SecondPaymentQuestion asking={asking} />
    </ActDialog>
  );
}
