import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Result as FullResult } from "../api/types";
import { SixChecks } from "../features/report/checks";
import { Technical } from "../features/report/evidence";
import { Confidence, Facts, Remarks, validationFacts, Verdict } from "../features/report/verdict";
import { exportDetailed } from "../lib/exports";
import { loadResult } from "../lib/validations";
import { Button } from "../ui/button";
import { PageHead } from "../ui/page-head";
import { ErrorState, SkeletonCards } from "../ui/states";
import { Time } from "../ui/values";

function Page({ result }: { result: FullResult }): ReactNode {
  const action = (
    <Button kind="primary" onClick={() => exportDetailed(result)}>
      Export Detailed Report
    </Button>
  );
  const lead = (
    <>
      Validated <Time at={result.validated_at} />, with the evidence for the verdict.
    </>
  );
  const shared = result.shared_with.length > 0 ? result.shared_with.join(", ") : "Only its own mail servers";
  return (
    <>
      <PageHead title={result.email} lead={lead} action={action} />
      <div className="stack">
        <div className="columns">
          <section className="card stack" aria-label="Verdict">
            <Verdict row={result} />
            <Remarks result={result} />
            <Confidence row={result} />
          </section>
          <section className="card stack" aria-label="Validation info">
            <Facts facts={[...validationFacts(result), { name: "Address was given to", value: shared }]} />
          </section>
        </div>
        <section className="card stack-4" aria-labelledby="checks-title">
          <h2 id="checks-title">Technical checks</h2>
          <SixChecks row={result} />
        </section>
        <section className="stack-4" aria-labelledby="evidence-title">
          <h2 id="evidence-title">Evidence</h2>
          <Technical result={result} />
        </section>
      </div>
    </>
  );
}

/** The page of one verdict. */
export default function Result({ result_id }: { result_id: number }): ReactNode {
  const result = useQuery({ queryKey: ["result", result_id], queryFn: () => loadResult(result_id) });
  if (result.isPending) return <SkeletonCards count={3} />;
  if (result.isError) {
    const retry = () => void result.refetch();
    return <ErrorState error={result.error} fallback="The result could not be loaded" onRetry={retry} />;
  }
  return <Page result={result.data} />;
}
