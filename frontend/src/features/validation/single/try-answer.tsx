import type { ReactNode } from "react";

import type { Tried } from "../../../api/types";
import { formatNumber, formatCount } from "../../../lib/format";
import { AddressTitle } from "../../../ui/address";
import { ButtonLink } from "../../../ui/button";
import { CheckAgainButton, isNotAsked } from "../results/check-again";
import { TechnicalChecks } from "../results/technical-checks";
import { TechnicalDetails } from "../results/evidence";
import { Testimony } from "../results/testimony";
import { Confidence, Remarks, Verdict } from "../results/verdict";

/** The way on after a try: an account, for whoever has none. */
export function NextStep({ signedIn, children }: { signedIn: boolean; children: string }): ReactNode {
  if (signedIn) return <ButtonLink href="/dashboard">Continue in your dashboard</ButtonLink>;
  return (
    <button type="button" className="button button-primary" data-opens="auth" data-mode="register">
      {children}
    </button>
  );
}

interface TryAnswerProps {
  tried: Tried;
  sandbox: boolean;
  signedIn: boolean;
  freeCredits: number;
  /** Asks once more. */
  onAgain: () => void;
}

/** The verdict on an address that a visitor tried, with the evidence as the product shows it. */
export function TryAnswer({ tried, sandbox, signedIn, freeCredits, onAgain }: TryAnswerProps): ReactNode {
  const { email, evidence, remaining } = tried;
  return (
    <div className="stack-4">
      <p className="verdict-address">
        <AddressTitle email={email} />
      </p>
      <Verdict row={tried} />
      <Testimony result={tried} fresh />
      {isNotAsked(tried) && remaining > 0 ? (
        <CheckAgainButton seconds={tried.retry_after ?? 0} busy={false} onAgain={onAgain} />
      ) : null}
      <Remarks result={tried} />
      <Confidence row={tried} />
      <TechnicalChecks row={tried} />
      <details className="technical">
        <summary>All {formatNumber(evidence.length)} checks and the conversation</summary>
        <TechnicalDetails result={tried} />
      </details>
      {sandbox ? (
        <p className="hint">
          This sandbox asked simulated servers: the verdict says nothing about a real mailbox.
        </p>
      ) : null}
      <div className="try-next">
        <p>
          {remaining === 0
            ? "That was the last try of this hour."
            : `${formatCount(remaining, "try", "tries")} left.`}
        </p>
        <NextStep signedIn={signedIn}>{`Sign up: ${formatCount(freeCredits, "free credit")}`}</NextStep>
      </div>
    </div>
  );
}
