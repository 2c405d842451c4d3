import { useState, type ReactNode } from "react";

import type { Subscription } from "../../api/types";
import { formatLongDate, plural } from "../../lib/format";
import { useDeed, type Deed } from "../../lib/plan-life";
import { planWord } from "../../lib/words";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";

interface PartProps {
  subscription: Subscription;
}

type Asked = Extract<Deed, "pause" | "resume" | "cancel">;

const QUESTIONS: Record<Asked, string> = {
  pause: "Are you sure you want to pause your subscription?",
  resume: "Are you sure you want to resume your subscription?",
  cancel: "Are you sure you want to cancel your subscription?",
};
const YES: Record<Asked, string> = {
  pause: "Pause subscription",
  resume: "Resume subscription",
  cancel: "Cancel subscription",
};

function PauseWords({ subscription }: PartProps): ReactNode {
  const { plan_credits, pack_credits, next_billing_date } = subscription;
  return (
    <ul className="points">
      <li>It resumes by itself after two months at most, within twelve; you can resume earlier.</li>
      <li>
        PayPal cannot move a billing date.{" "}
        {next_billing_date ? `Your next one is ${formatLongDate(next_billing_date)}: ` : ""}
        charges that fall due while it is paused are skipped.
      </li>
      <li>
        {plural(plan_credits, "plan credit")} will be frozen and last longer by the time of the pause.{" "}
        {pack_credits > 0 ? `${plural(pack_credits, "pack credit")} stay usable.` : "Packs stay usable."}
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
        {plural(plan_credits, "plan credit")} lapse when it ends, as far as they are unused.{" "}
        {pack_credits > 0 ? `${plural(pack_credits, "pack credit")} stay.` : "Pack credits stay."}
      </li>
      <li>Until it ends you can change your mind with Keep my plan.</li>
    </ul>
  );
}

const WORDS: Record<Asked, (props: PartProps) => ReactNode> = {
  pause: PauseWords,
  cancel: CancelWords,
  resume: ({ subscription }) => (
    <ul className="points">
      <li>{plural(subscription.plan_credits, "plan credit")} can be used again at once.</li>
      <li>Charges go on from the next billing date.</li>
    </ul>
  ),
};

interface AskProps extends PartProps {
  deed: Asked;
  onClose: () => void;
}

function Ask({ deed, subscription, onClose }: AskProps): ReactNode {
  const act = useDeed(deed, onClose);
  const Words = WORDS[deed];
  const actions = (
    <>
      <Button onClick={onClose}>Not now</Button>
      <Button
        kind={deed === "cancel" ? "danger" : "primary"}
        busy={act.isPending}
        onClick={() => act.mutate()}
      >
        {YES[deed]}
      </Button>
    </>
  );
  return (
    <Dialog title={QUESTIONS[deed]} onClose={onClose} actions={actions} closable={false}>
      <Words subscription={subscription} />
    </Dialog>
  );
}

/** Pause, resume and cancel, as far as the plan is in a state for it; each asks first. */
export function PlanActions({ subscription }: PartProps): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { subscription_plan, subscription_status, can_pause, cancel_at } = subscription;
  if (subscription_plan === "free" || cancel_at) return null;
  const isPaused = subscription_status === "paused";
  return (
    <section className="card row row-between" aria-labelledby="plan-actions">
      <div className="stack-1">
        <h2 id="plan-actions">
          Your {planWord(subscription_plan)} plan{" "}
          {isPaused ? <span className="badge tone-risky">Paused</span> : null}
        </h2>
        <p className="muted">
          {isPaused
            ? "Plan credits are frozen, pack credits stay usable. It resumes by itself, or as soon as you like."
            : subscription_status === "trial"
              ? "It ends by itself, and nothing is charged."
              : "Pause it for up to two months a year, or cancel it at the end of the period."}
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
            <Button disabled={!can_pause} onClick={() => setAsked("pause")}>
              Pause
            </Button>
            <Button onClick={() => setAsked("cancel")}>Cancel</Button>
          </>
        )}
      </div>
      {asked ? <Ask deed={asked} subscription={subscription} onClose={() => setAsked(null)} /> : null}
    </section>
  );
}
