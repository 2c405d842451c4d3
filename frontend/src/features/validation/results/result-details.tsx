import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Result, ResultRow } from "../../../api/types";
import { exportResult } from "./exports";
import { loadResult } from "../calls";
import { Button, ButtonLink } from "../../../ui/button";
import { Facts } from "../../../ui/facts";
import { ErrorState, SkeletonRows } from "../../../ui/states";
import { TraceSkeleton } from "../../../ui/trace";
import { TechnicalChecks } from "./technical-checks";
import { Checks, Conversation } from "./evidence";
import { Testimony } from "./testimony";
import { Confidence, Remarks, listFacts, Verdict } from "./verdict";

/** A result with its evidence; shared by all that ask for the same. */
export function resultQuery(id: string) {
  return { queryKey: ["result", id], queryFn: () => loadResult(id) };
}

/** The evidence, once it is there. */
function Evidence({ result }: { result: UseQueryResult<Result> }): ReactNode {
  if (result.isPending) return <SkeletonRows count={5} />;
  if (result.isError) return <ErrorState query={result} fallback="The evidence could not be loaded" />;
  return (
    <div className="stack-4">
      <Checks evidence={result.data.evidence} />
      <Conversation result={result.data} />
    </div>
  );
}

/** One verdict with its six checks, and its evidence, which is loaded as it opens. */
export function ResultDetails({ row }: { row: ResultRow | Result }): ReactNode {
  const result = useQuery(resultQuery(row.id));
  return (
    <div className="stack">
      <Verdict row={row} />
      {result.isPending ? <TraceSkeleton /> : null}
      {result.data ? (
        <>
          <Testimony result={result.data} />
          <Remarks result={result.data} />
        </>
      ) : null}
      <Confidence row={row} />
      <TechnicalChecks row={row} />
      <Facts facts={listFacts(row)} />
      <h3>Evidence</h3>
      <Evidence result={result} />
    </div>
  );
}

interface ResultActionsProps {
  row: ResultRow | Result;
  onClose: () => void;
}

/** What can be done with a verdict that is looked at. */
export function ResultActions({ row, onClose }: ResultActionsProps): ReactNode {
  return (
    <>
      <ButtonLink href={`/dashboard/result/${row.id}`}>Open as page</ButtonLink>
      <Button onClick={() => exportResult(row)}>Export Detailed Report</Button>
      <Button onClick={onClose}>Close</Button>
    </>
  );
}
