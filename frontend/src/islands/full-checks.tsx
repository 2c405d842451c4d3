import { useState, type ReactNode } from "react";

import type { Credits } from "../api/types";
import { formatLongDate } from "../lib/format";
import {
  isNoticeClosed,
  closeNotice,
  chooseNotice,
  type NoticeKind,
} from "../features/billing/subscriptions/full-checks-notice";
import { lacksChecks, useCredits, useSubscription } from "../features/billing/subscriptions/use-subscription";
import { Button, ButtonLink } from "../ui/button";

interface Notice {
  text: string;
  after: string;
}

function buildLastNotice(left: number, endsAt: string): Notice {
  const until = `until ${formatLongDate(endsAt)}.`;
  return {
    text:
      left === 1
        ? `This is your last full check, ${until}`
        : `These are your last ${left} full checks, ${until}`,
    after: "After them your checks are basic: mailbox, catch-all and disposable are left out.",
  };
}

function buildOverNotice(endsAt: string): Notice {
  return {
    text:
      Date.parse(endsAt) <= Date.now()
        ? `Your full checks ended on ${formatLongDate(endsAt)}.`
        : "Your full checks are used up.",
    after: "Your checks are basic now: mailbox, catch-all and disposable are left out.",
  };
}

/** Until it is closed in this browser. */
function FullChecksNotice({ credits, endsAt }: { credits: Credits; endsAt: string }): ReactNode {
  const [closed, setClosed] = useState<NoticeKind | null>(null);
  const left = credits.welcome_credits;
  const what = chooseNotice(left);
  if (what === null || closed === what || isNoticeClosed(what, endsAt)) return null;
  const notice = what === "over" ? buildOverNotice(endsAt) : buildLastNotice(left, endsAt);
  const close = () => {
    closeNotice(what, endsAt);
    setClosed(what);
  };
  return (
    <aside className="notice full-checks" aria-label="Your full checks">
      <div className="stack-1">
        <p className="nums">{notice.text}</p>
        <p className="muted small">{notice.after}</p>
      </div>
      <div className="row">
        <ButtonLink href="/dashboard?tab=pricing" needs="pay">
          See plans and packs
        </ButtonLink>
        <Button changes={false} onClick={close}>
          Do not tell me again
        </Button>
      </div>
    </aside>
  );
}

/** Tells an account on Free that its full checks run out, and that they have; nothing where every check is made anyway. */
export default function FullChecks(): ReactNode {
  const { data } = useSubscription();
  const credits = useCredits().data;
  if (!data || !credits || !lacksChecks(data) || credits.welcome_ends_at === null) return null;
  return <FullChecksNotice credits={credits} endsAt={credits.welcome_ends_at} />;
}
