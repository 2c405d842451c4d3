import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { BatchDetail } from "../api/types";
import { useListAccess } from "../features/validation/access/use-list-access";
import { POLL_MS } from "../features/validation/batches/progress/use-batch-progress";
import { hasEnded } from "../features/validation/batches/progress/list-stage";
import { loadBatch } from "../features/validation/calls";
import { ImportGuides } from "../features/validation/next-steps/import-guides";
import { StepCards } from "../features/validation/next-steps/step-cards";
import { WholeList } from "../features/validation/next-steps/whole-list";
import { getBatchTitle } from "../features/validation/results/exports";
import { ReportButton } from "../features/validation/results/report-button";
import { formatCount } from "../lib/format";
import { isActiveStatus } from "../lib/labels";
import { ButtonLink } from "../ui/button";
import { PageHead } from "../ui/page-head";
import { StaleNote } from "../ui/stale-note";
import { EmptyState, ErrorState, SkeletonPage } from "../ui/states";

const FAILED = "The list could not be loaded";

function Head({ batch, saves }: { batch: BatchDetail; saves: boolean }): ReactNode {
  const lead = (
    <span className="break">
      {getBatchTitle(batch)}, {formatCount(batch.processed, "address", "addresses")} checked
    </span>
  );
  const reports = saves && batch.status === "completed" && !batch.expired_at;
  const action = (
    <div className="row">
      {reports ? <ReportButton batch={batch} /> : null}
      <ButtonLink href={`/dashboard/batch/${batch.batch_id}`}>View Results</ButtonLink>
    </div>
  );
  return <PageHead title="Next steps" lead={lead} action={action} />;
}

function Steps({ batch, saves }: { batch: BatchDetail; saves: boolean }): ReactNode {
  if (batch.expired_at) {
    return (
      <EmptyState title="The results were removed" plain>
        Their retention time is over. The counts stay on the page of the list.
      </EmptyState>
    );
  }
  if (!hasEnded(batch.status)) {
    return (
      <EmptyState title="The list is not finished yet">Its next steps appear here when it is.</EmptyState>
    );
  }
  return (
    <div className="stack">
      {saves ? null : (
        <p className="notice">Your organisation lets viewers read results, not save them as files.</p>
      )}
      <StepCards batch={batch} saves={saves} />
      {saves ? <WholeList batch={batch} /> : null}
      <ImportGuides />
    </div>
  );
}

/** What to do with a list after it was checked. */
export default function NextSteps({ batch_id }: { batch_id: string }): ReactNode {
  const batch = useQuery({
    queryKey: ["batch", batch_id],
    queryFn: () => loadBatch(batch_id, 1),
    refetchInterval: ({ state }) => (state.data && isActiveStatus(state.data.status) ? POLL_MS : false),
  });
  const { mayDownload } = useListAccess();
  if (!batch.data) {
    return batch.error ? <ErrorState query={batch} fallback={FAILED} wholePage /> : <SkeletonPage />;
  }
  return (
    <>
      <Head batch={batch.data} saves={mayDownload} />
      <StaleNote query={batch} fallback={FAILED} />
      <Steps batch={batch.data} saves={mayDownload} />
    </>
  );
}
