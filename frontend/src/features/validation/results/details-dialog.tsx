import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { ResultRow } from "../../../api/types";
import { exportResult } from "./exports";
import { loadResult } from "../calls";
import { Button, ButtonLink } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Facts } from "../../../ui/facts";
import { ErrorState, SkeletonRows } from "../../../ui/states";
import { TechnicalChecks } from "./technical-checks";
import { Checks, Conversation } from "./evidence";
import { Testimony } from "./testimony";
import { Confidence, Remarks, listFacts, Verdict } from "./verdict";

function Evidence({ id }: { id: number }): ReactNode {
  const result = useQuery({ queryKey: ["result", id], queryFn: () => loadResult(id) });
  if (result.isPending) return <SkeletonRows count={5} />;
  if (result.isError) return <ErrorState query={result} fallback="The evidence could not be loaded" />;
  return (
    <div className="stack-4">
      <Testimony result={result.data} />
      <Remarks result={result.data} />
      <Checks evidence={result.data.evidence} />
      <Conversation result={result.data} />
    </div>
  );
}

/** One verdict with its six checks, and its evidence loaded as it opens. */
export function DetailsDialog({ row, onClose }: { row: ResultRow; onClose: () => void }): ReactNode {
  const actions = (
    <>
      <ButtonLink href={`/dashboard/result/${row.id}`}>Open as page</ButtonLink>
      <Button onClick={() => exportResult(row)}>Export Detailed Report</Button>
      <Button onClick={onClose}>Close</Button>
    </>
  );
  return (
    <Dialog title="Validation Details" description={row.email} wide onClose={onClose} actions={actions}>
      <div className="stack">
        <Verdict row={row} />
        <Confidence row={row} />
        <TechnicalChecks row={row} />
        <Facts facts={listFacts(row)} />
        <h3>Evidence</h3>
        <Evidence id={row.id} />
      </div>
    </Dialog>
  );
}
