import type { ReactNode } from "react";

import { formatLongDate, formatCount } from "../../../lib/format";
import { isNoticeClosed, chooseNotice } from "./full-checks-notice";
import { lacksChecks, canStartTrial, useCredits, useSubscription, useStartTrial } from "./use-subscription";
import { Button, ButtonLink } from "../../../ui/button";

interface TrialButtonProps {
  kind?: "primary" | "plain";
}

function TrialButton({ kind = "primary" }: TrialButtonProps): ReactNode {
  const trial = useStartTrial();
  return (
    <Button kind={kind} needs="pay" busy={trial.isPending || trial.isSuccess} onClick={() => trial.mutate()}>
      Start Growth trial
    </Button>
  );
}

/** What the trial brings, and the way to start it. */
export function TrialCard(): ReactNode {
  return (
    <section className="card row row-between" aria-labelledby="trial-title">
      <div className="stack-1">
        <h2 id="trial-title">Try Growth for 14 days</h2>
        <p className="muted">100 credits and every check of the Growth plan. No credit card needed.</p>
      </div>
      <TrialButton />
    </section>
  );
}

/**
 * How many full checks a new account has left, until when, and what comes after them. While they are the last, the
 * notice above every tab says so.
 */
function FullChecksLeft({ left, endsAt }: { left: number; endsAt: string }): ReactNode {
  if (chooseNotice(left) !== null && !isNoticeClosed("last", endsAt)) return null;
  return (
    <aside className="notice" aria-label="Full checks">
      <div className="stack-1">
        <p className="nums">
          {formatCount(left, "full check")} left until {formatLongDate(endsAt)}
        </p>
        <p className="muted small">
          They run every check, mailbox, catch-all and disposable included. What they do not cover altogether
          runs the basic checks of Free.
        </p>
      </div>
    </aside>
  );
}

/** What Free leaves out, and the way to get it. */
function ExcludedChecks({ canTry }: { canTry: boolean }): ReactNode {
  return (
    <aside className="notice" aria-label="Checks of your plan">
      <div className="stack-1">
        <p>
          {canTry
            ? "Mailbox checks come with the 14-day Growth trial"
            : "Mailbox checks come with a plan or a credit pack"}
        </p>
        <p className="muted small">Basic checks leave mailbox, catch-all and disposable checks out.</p>
      </div>
      {canTry ? (
        <TrialButton kind="plain" />
      ) : (
        <ButtonLink href="/dashboard?tab=pricing" needs="pay">
          Upgrade
        </ButtonLink>
      )}
    </aside>
  );
}

/** Before anything is checked on Free: the full checks that are left; or what is left out, and the way to get it. */
export function GateNotice(): ReactNode {
  const { data } = useSubscription();
  const credits = useCredits().data;
  if (!data || !credits || !lacksChecks(data)) return null;
  if (credits.welcome_credits > 0 && credits.welcome_ends_at !== null) {
    return <FullChecksLeft left={credits.welcome_credits} endsAt={credits.welcome_ends_at} />;
  }
  return <ExcludedChecks canTry={canStartTrial(data)} />;
}
