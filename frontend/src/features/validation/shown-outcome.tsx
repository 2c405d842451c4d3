import type { ReactNode } from "react";

import type { Result } from "../../api/types";
import { focusOnArrival } from "../../lib/focus";
import { AddressTitle } from "../../ui/address";
import type { ListOutcome } from "./batches/list-outcome";
import { ListSummary } from "./batches/list-summary";
import { CheckAgain, isNotAsked } from "./results/check-again";
import { ResultReport } from "./results/result-report";

export type Outcome = { kind: "single"; result: Result } | { kind: "list"; list: ListOutcome };

interface ShownOutcomeProps {
  outcome: Outcome;
  onResult: (result: Result) => void;
}

/** What became of the address or the list that was sent last. */
export function ShownOutcome({ outcome, onResult }: ShownOutcomeProps): ReactNode {
  if (outcome.kind === "list") return <ListSummary key={outcome.list.batchId} outcome={outcome.list} />;
  const { result } = outcome;
  return (
    <section key={result.id} className="card stack-4" aria-labelledby="report-title">
      <h2 id="report-title" className="verdict-address arrival" tabIndex={-1} ref={focusOnArrival}>
        <AddressTitle email={result.email_checked} />
      </h2>
      <ResultReport result={result}>
        {isNotAsked(result) ? (
          <CheckAgain result={result} seconds={result.retry_after ?? 0} onResult={onResult} />
        ) : null}
      </ResultReport>
    </section>
  );
}
