import type { ReactNode } from "react";

import type { Subscription } from "../../../api/types";
import { formatLongDate } from "../../../lib/format";
import { useDeed } from "./plan-life";
import { planWord } from "../../../lib/words";
import { Button } from "../../../ui/button";

interface NoticeProps {
  subscription: Subscription;
}

function PastDue({ subscription }: NoticeProps): ReactNode {
  const { next_billing_date, subscription_plan } = subscription;
  return (
    <div className="notice notice-danger" role="alert">
      <div className="stack-1">
        <p>
          <strong>The last payment for your {planWord(subscription_plan)} plan did not go through.</strong>
        </p>
        <p className="muted">
          {next_billing_date ? `PayPal tries again on ${formatLongDate(next_billing_date)}. ` : ""}To pay,
          make sure that your PayPal balance, bank account or card covers it by then. Until it is paid no new
          plan credits are added; the credits you have stay usable. After the third failed attempt the plan
          ends.
        </p>
      </div>
    </div>
  );
}

function Cancelled({ subscription }: NoticeProps): ReactNode {
  const keep = useDeed("keep");
  const { cancel_at, subscription_plan, subscription_status } = subscription;
  const what = subscription_status === "trial" ? "trial" : "plan";
  return (
    <div className="notice" role="status">
      <div className="stack-1">
        <p>
          <strong>
            Your {planWord(subscription_plan)} {what} ends on {cancel_at ? formatLongDate(cancel_at) : ""}.
          </strong>
        </p>
        <p className="muted">You can use it until then. Unused plan credits lapse with it; packs stay.</p>
      </div>
      <Button kind="primary" busy={keep.isPending || keep.isSuccess} onClick={() => keep.mutate()}>
        Keep my plan
      </Button>
    </div>
  );
}

function Scheduled({ subscription }: NoticeProps): ReactNode {
  const undo = useDeed("undo");
  const { scheduled_plan, scheduled_cycle, scheduled_at, subscription_plan } = subscription;
  return (
    <div className="notice" role="status">
      <div className="stack-1">
        <p>
          <strong>
            Your plan changes to {planWord(scheduled_plan ?? "")}, billed {scheduled_cycle}
            {scheduled_at ? `, on ${formatLongDate(scheduled_at)}` : ""}.
          </strong>
        </p>
        <p className="muted">Until then you have {planWord(subscription_plan)}, and nothing is charged.</p>
      </div>
      <Button busy={undo.isPending} onClick={() => undo.mutate()}>
        Undo
      </Button>
    </div>
  );
}

/** What is going on with the plan, and what can be done about it. */
export function PlanNotices({ subscription }: NoticeProps): ReactNode {
  return (
    <>
      {subscription.subscription_status === "past_due" ? <PastDue subscription={subscription} /> : null}
      {subscription.cancel_at ? <Cancelled subscription={subscription} /> : null}
      {subscription.scheduled_plan ? <Scheduled subscription={subscription} /> : null}
    </>
  );
}
