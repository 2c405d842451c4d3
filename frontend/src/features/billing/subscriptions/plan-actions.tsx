import { useState, type ReactNode } from "react";

import type { Subscription } from "../../../api/types";
import { formatLongDate, formatCount } from "../../../lib/format";
import { usePlanAction, type PlanAction } from "./use-plan-changes";
import { formatPlan } from "../../../lib/labels";
import { ActDialog } from "../../../ui/dialog";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";

interface PartProps {
  subscription: Subscription;
}

type AskedAction = Extract<PlanAction, "pause" | "resume" | "cancel">;

const QUESTIONS: Record<AskedAction, string> = {
  pause: "Are you sure you want to pause your subscription?",
  resume: "Are you sure you want to resume your subscription?",
  cancel: "Are you sure you want to cancel your subscription?",
};
const YES: Record<AskedAction, string> = {
  pause: "Pause subscription",
  resume: "Resume subscription",
  cancel: "Cancel subscription",
};

function PauseWords({ subscription }: PartProps): ReactNode {
  const { plan_credits, pack_credits, next_billing_date, pause_ends_at } = subscription;
  return (
    <ul className="points">
      <li>
        {pause_ends_at ? `It resumes automatically on ${formatLongDate(pause_ends_at)}. ` : ""}
        You can resume it earlier. In any twelve months you can pause for two.
      </li>
      <li>
        {next_billing_date ? `Your next billing date is ${formatLongDate(next_billing_date)}. ` : ""}
        PayPal cannot move it: charges that fall due during the pause are skipped.
      </li>
      <li>
        {formatCount(plan_credits, "plan credit")} will be frozen. They expire later, by the length of the
        pause.{" "}
        {pack_credits > 0 ? `${formatCount(pack_credits, "pack credit")} stay usable.` : "Packs stay usable."}
      </li>
    </ul>
  );
}

function CancelWords({ subscription }: PartProps): ReactNode {
  const { plan_credits, pack_credits, next_billing_date, trial_ends_at, subscription_status } = subscription;
  const end = subscription_status === "trial" ? trial_ends_at : next_billing_date;
  return (
    <ul className="points">
      <li>
        {end && subscription_status !== "past_due"
          ? `You can use it until the end of the period, ${formatLongDate(end)}. Nothing more is charged.`
          : "It ends with the period that is paid for. Nothing more is charged."}
      </li>
      <li>
        Of your {formatCount(plan_credits, "plan credit")}, those you have not used by then lapse.{" "}
        {pack_credits > 0 ? `${formatCount(pack_credits, "pack credit")} stay.` : "Pack credits stay."}
      </li>
      <li>Until it ends you can change your mind with “Keep my plan”.</li>
    </ul>
  );
}

const WORDS: Record<AskedAction, (props: PartProps) => ReactNode> = {
  pause: PauseWords,
  cancel: CancelWords,
  resume: ({ subscription }) => (
    <ul className="points">
      <li>{formatCount(subscription.plan_credits, "plan credit")} can be used again at once.</li>
      <li>You are charged again from the next billing date.</li>
    </ul>
  ),
};

interface ActionDialogProps extends PartProps {
  deed: AskedAction;
  onClose: () => void;
}

function ActionDialog({ deed, subscription, onClose }: ActionDialogProps): ReactNode {
  const act = usePlanAction(deed, onClose);
  const Words = WORDS[deed];
  return (
    <ActDialog
      title={QUESTIONS[deed]}
      action={YES[deed]}
      kind={deed === "cancel" ? "danger" : "primary"}
      busy={act.isPending}
      onAct={() => act.mutate()}
      cancel="Not now"
      onClose={onClose}
      closable={false}
    >
      <Words subscription={subscription} />
    </ActDialog>
  );
}

function PlanState({ status }: { status: Subscription["subscription_status"] }): ReactNode {
  if (status === "paused") return <Badge look={["Paused", "plain"]} />;
  return status === "past_due" ? <Badge look={["Past due", "problem"]} /> : null;
}

function describeResuming({ pause_ends_at }: Subscription): string {
  const when = pause_ends_at ? `on ${formatLongDate(pause_ends_at)}` : "automatically";
  return `It resumes ${when}, or as soon as you like. Plan credits are frozen, pack credits stay usable.`;
}

function describeTrial({ trial_ends_at }: Subscription): string {
  const end = trial_ends_at
    ? `Your trial ends on ${formatLongDate(trial_ends_at)}`
    : "Your trial ends by itself";
  return `${end}, and nothing is charged. A trial cannot be paused.`;
}

/** What can be done with a plan that is active, or why it cannot be paused. */
function describeActive({ can_pause, scheduled_plan }: Subscription): string {
  if (can_pause) return "Pause it for up to two months a year, or cancel it at the end of the period.";
  return scheduled_plan
    ? "You can pause it once the plan change has taken effect, or undo that change first."
    : "It cannot be paused now. You can pause for two months in any twelve.";
}

function explainState(subscription: Subscription): string {
  switch (subscription.subscription_status) {
    case "paused":
      return describeResuming(subscription);
    case "trial":
      return describeTrial(subscription);
    case "past_due":
      return "You can pause it or change it once the payment has gone through.";
    default:
      return describeActive(subscription);
  }
}

/** Pause, resume and cancel, as far as the plan is in a state for it; each asks first. */
export function PlanActions({ subscription }: PartProps): ReactNode {
  const [asked, setAsked] = useState<AskedAction | null>(null);
  const { subscription_plan, subscription_status, can_pause, cancel_at } = subscription;
  if (subscription_plan === "free" || cancel_at) return null;
  const isPaused = subscription_status === "paused";
  return (
    <section className="card row row-between plan-actions" aria-labelledby="plan-actions">
      <div className="stack-1">
        <h2 id="plan-actions" className="row">
          Your {formatPlan(subscription_plan)} {subscription_status === "trial" ? "trial" : "plan"}
          <PlanState status={subscription_status} />
        </h2>
        <p className="muted" id="plan-actions-words">
          {explainState(subscription)}
        </p>
      </div>
      <div className="row">
        {isPaused ? (
          <>
            <Button kind="primary" onClick={() => setAsked("resume")}>
              Resume
            </Button>
            <Button kind="quiet" onClick={() => setAsked("cancel")}>
              Cancel instead
            </Button>
          </>
        ) : (
          <>
            <Button
              disabled={!can_pause}
              aria-describedby="plan-actions-words"
              onClick={() => setAsked("pause")}
            >
              Pause
            </Button>
            <Button onClick={() => setAsked("cancel")}>Cancel</Button>
          </>
        )}
      </div>
      {asked ? (
        <ActionDialog deed={asked} subscription={subscription} onClose={() => setAsked(null)} />
      ) : null}
    </section>
  );
}
