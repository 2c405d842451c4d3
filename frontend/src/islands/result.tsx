import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Result as FullResult } from "../api/types";
import { CheckAgain, isNotAsked } from "../features/validation/results/check-again";
import { TechnicalChecks } from "../features/validation/results/technical-checks";
import { DeleteResult } from "../features/validation/results/delete-result";
import { Conversation, FoldedChecks, MailServers } from "../features/validation/results/evidence";
import { Testimony } from "../features/validation/results/testimony";
import { Confidence, Remarks, listFacts, Verdict } from "../features/validation/results/verdict";
import { exportResult } from "../features/validation/results/exports";
import { navigation } from "../lib/session";
import { loadResult } from "../features/validation/calls";
import { AddressTitle } from "../ui/address";
import { Button } from "../ui/button";
import { Facts } from "../ui/facts";
import { PageHead } from "../ui/page-head";
import { Section } from "../ui/section";
import { ErrorState, SkeletonPage } from "../ui/states";
import { Time } from "../ui/values";

/** Who has learnt the address from this check. */
function describeSharing({ shared_with, transcript }: FullResult): string {
  if (shared_with.length > 0) return ["Its own mail servers", ...shared_with].join(", ");
  return transcript.length > 0 ? "Only its own mail servers" : "Nobody";
}

/** What is left of the time after which it is worth asking again. */
function getSecondsToWait({ retry_after, validated_at }: FullResult): number {
  return (retry_after ?? 0) - (Date.now() - Date.parse(validated_at)) / 1000;
}

function Page({ result }: { result: FullResult }): ReactNode {
  const action = (
    <div className="row">
      <DeleteResult row={result} onDeleted={() => navigation.go("/dashboard?tab=history")} />
      <Button kind="primary" shortcut="e" onClick={() => exportResult(result)}>
        Export Detailed Report
      </Button>
    </div>
  );
  const lead = (
    <>
      Validated <Time at={result.validated_at} />, with the evidence for the verdict.
    </>
  );
  return (
    <>
      <PageHead title={<AddressTitle email={result.email_checked} />} lead={lead} action={action} />
      <div className="stack">
        <section className="card stack" aria-label="Verdict">
          <Verdict row={result} />
          {isNotAsked(result) ? (
            <CheckAgain
              result={result}
              seconds={getSecondsToWait(result)}
              onResult={({ id }) => navigation.go(`/dashboard/result/${id}`)}
            />
          ) : null}
          <Testimony result={result} />
          <Remarks result={result} />
          <Confidence row={result} />
          <section aria-label="Validation info">
            <Facts facts={[...listFacts(result), ["Address was given to", describeSharing(result)]]} />
          </section>
        </section>
        <Section id="checks-title" title="Technical checks">
          <TechnicalChecks row={result} />
        </Section>
        <Section id="evidence-title" title="Evidence">
          <Conversation result={result} />
          <FoldedChecks evidence={result.evidence} />
          <MailServers result={result} />
        </Section>
      </div>
    </>
  );
}

/** The page of one verdict. */
export default function Result({ result_id }: { result_id: string }): ReactNode {
  const result = useQuery({ queryKey: ["result", result_id], queryFn: () => loadResult(result_id) });
  if (result.isPending) return <SkeletonPage />;
  if (result.isError) {
    return <ErrorState query={result} fallback="The result could not be loaded" wholePage />;
  }
  return <Page result={result.data} />;
}
