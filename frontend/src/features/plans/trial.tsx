import type { ReactNode } from "react";

import { lacksChecks, mayTry, useSubscription, useTrial } from "../../lib/subscription";
import { Button, ButtonLink } from "../../ui/button";

interface TrialButtonProps {
  kind?: "primary" | "plain";
}

function TrialButton({ kind = "primary" }: TrialButtonProps): ReactNode {
  const trial = useTrial();
  return (
    <Button kind={kind} busy={trial.isPending || trial.isSuccess} onClick={() => trial.mutate()}>
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

/** Before anything is checked on Free: what is left out, and the way to it; what is charged all the same stands above. */
export function GateNotice(): ReactNode {
  const { data } = useSubscription();
  if (!data || !lacksChecks(data)) return null;
  const canTry = mayTry(data);
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
      {canTry ? <TrialButton kind="plain" /> : <ButtonLink href="/dashboard?tab=pricing">Upgrade</ButtonLink>}
    </aside>
  );
}
