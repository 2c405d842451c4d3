import type { ReactNode } from "react";

import type { Subscription } from "../../../api/types";
import { formatLongDate } from "../../../lib/format";
import { usePlanAction } from "./use-plan-changes";
import { formatPlan } from "../../../lib/labels";
import { Button } from "../../../ui/button";

interface NoticeProps {
  subscription: Subscription;
}

interface NoticeBoxProps {
  urgent?: boolean;
  title: ReactNode;
  text: ReactNode;
  /** What can be done about it. */
  children?: ReactNode;
}

function NoticeBox({ urgent = false, title, text, children }: NoticeBoxProps): ReactNode {
  return (
    <div className={urgent ? "notice notice-danger" : "notice"} role={urgent ? "alert" : "status"}>
      <div className="stack-1">
        <p>
          <strong>{title}</strong>
        </p>
        <p className="muted">{text}</p>
      </div>
      {children}
    </div>
  );
}

function PastDueNotice({ subscription }: NoticeProps): ReactNode {
  const { next_billing_date, subscription_plan } = subscription;
  const again = next_billing_date ? `PayPal tries again on ${formatLongDate(next_billing_date)}. ` : "";
  return (
    <NoticeBox
      urgent
      title={`The last payment for your ${formatPlan(subscription_plan)} plan did not go through.`}
      text={`${again}To pay, make sure that your PayPal balance, bank account or card covers it by then. Until it is paid no new plan credits are added; the credits you have stay usable. After the third failed attempt the plan ends.`}
    />
  );
}

function CancelledNotice({ subscription }: NoticeProps): ReactNode {
  const keep = usePlanAction("keep");
  const { cancel_at, subscription_plan, subscription_status } = subscription;
  const what = subscription_status === "trial" ? "trial" : "plan";
  return (
    <NoticeBox
      title={`Your ${formatPlan(subscription_plan)} ${what} ends on ${cancel_at ? formatLongDate(cancel_at) : ""}.`}
      text="You can use it until then. Unused plan credits lapse with it; packs stay."
    >
      <Button kind="primary" busy={keep.isPending || keep.isSuccess} onClick={() => keep.mutate()}>
        Keep my plan
      </Button>
    </NoticeBox>
  );
}

function ScheduledNotice({ subscription }: NoticeProps): ReactNode {
  const undo = usePlanAction("undo");
  const { scheduled_plan, scheduled_cycle, scheduled_at, subscription_plan } = subscription;
  const when = scheduled_at ? `, on ${formatLongDate(scheduled_at)}` : "";
  return (
    <NoticeBox
      title={`Your plan changes to ${formatPlan(scheduled_plan ?? "")}, billed ${scheduled_cycle}${when}.`}
      text={`Until then you have ${formatPlan(subscription_plan)}, and nothing is charged.`}
    >
      <Button busy={undo.isPending} onClick={() => undo.mutate()}>
        Undo
      </Button>
    </NoticeBox>
  );
}

/** What is going on with the plan, and what can be done about it. */
export function PlanNotices({ subscription }: NoticeProps): ReactNode {
  return (
    <>
      {subscription.subscription_status === "past_due" ? <PastDueNotice subscription={subscription} /> : null}
      {subscription.cancel_at ? <CancelledNotice subscription={subscription} /> : null}
      {subscription.scheduled_plan ? <ScheduledNotice subscription={subscription} /> : null}
    </>
  );
}
