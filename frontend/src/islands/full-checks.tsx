import { useState, type ReactNode } from "react";

import type { Credits } from "../api/types";
import { formatLongDate } from "../lib/format";
import { lacksChecks, useCredits, useSubscription } from "../lib/subscription";
import { Button, ButtonLink } from "../ui/button";

const LAST = 10;
const TOLD = "full_checks_told:";

interface Notice {
  /** What is told once: that few are left, or that there are none. */
  what: "last" | "over";
  text: string;
  after: string;
}

function lastOnes(left: number, endsAt: string): Notice {
  const until = `until ${formatLongDate(endsAt)}.`;
  return {
    what: "last",
    text:
      left === 1
        ? `This is your last full check, ${until}`
        : `These are your last ${left} full checks, ${until}`,
    after: "After them your checks are basic: mailbox, catch-all and disposable are left out.",
  };
}

function noMore(endsAt: string): Notice {
  return {
    what: "over",
    text:
      Date.parse(endsAt) <= Date.now()
        ? `Your full checks ended on ${formatLongDate(endsAt)}.`
        : "Your full checks are used up.",
    after: "Your checks are basic now: mailbox, catch-all and disposable are left out.",
  };
}

function noticeOf(left: number, endsAt: string): Notice | null {
  if (left === 0) return noMore(endsAt);
  return left <= LAST ? lastOnes(left, endsAt) : null;
}

/** Until it is closed in this browser. Their end, to the microsecond, tells one account's full checks from another's. */
function OnceTold({ credits, endsAt }: { credits: Credits; endsAt: string }): ReactNode {
  const [closed, setClosed] = useState<string | null>(null);
  const notice = noticeOf(credits.welcome_credits, endsAt);
  if (notice === null) return null;
  const key = `${TOLD}${notice.what}:${endsAt}`;
  if (closed === key || localStorage.getItem(key) !== null) return null;
  const close = () => {
    localStorage.setItem(key, "1");
    setClosed(key);
  };
  return (
    <aside className="notice full-checks" aria-label="Your full checks">
      <div className="stack-1">
        <p className="nums">{notice.text}</p>
        <p className="muted small">{notice.after}</p>
      </div>
      <div className="row">
        <ButtonLink href="/dashboard?tab=pricing">See plans and packs</ButtonLink>
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
  return <OnceTold credits={credits} endsAt={credits.welcome_ends_at} />;
}
