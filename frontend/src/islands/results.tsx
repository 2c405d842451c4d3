import { useQuery } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import { Suspense, useEffect, useRef, type ReactNode } from "react";

import type { BatchDetail } from "../api/types";
import { PrivateMark } from "../features/validation/access/private-list";
import { useListAccess } from "../features/validation/access/use-list-access";
import { BatchActions } from "../features/validation/batches/batch-actions";
import { Summary } from "../features/validation/results/explorer/summary";
import { ResultsExplorer } from "../features/validation/results/explorer/results-explorer";
import { ReportButton } from "../features/validation/results/report-button";
import { getBatchTitle } from "../features/validation/results/exports";
import { formatDateTime, formatCount } from "../lib/format";
import { queryClient } from "../lib/query";
import { getNextSteps, loadBatch } from "../features/validation/calls";
import {
  formatExtent,
  getListedStanding,
  hasEnded,
} from "../features/validation/batches/progress/list-stage";
import { POLL_MS } from "../features/validation/batches/progress/use-batch-progress";
import { isActiveStatus } from "../lib/labels";
import { ButtonLink } from "../ui/button";
import { formatChecks } from "../features/validation/results/result-labels";
import { DialogButton } from "../ui/dialog-button";
import { lazyPart } from "../ui/lazy-part";
import { PageHead } from "../ui/page-head";
import { StaleNote } from "../ui/stale-note";
import { ErrorState, SkeletonPage } from "../ui/states";
import { BatchBadge } from "../ui/status-badge";
import { Term } from "../ui/term";
import { Time } from "../ui/values";

// Few lists are cut to their credits, or run basic checks.
const FullCheckOffer = lazyPart(
  async () => (await import("../features/validation/batches/full-check-offer")).FullCheckOffer,
);
const ListRating = lazyPart(
  async () => (await import("../features/validation/batches/list-rating")).ListRating,
);
const RestOffer = lazyPart(async () => (await import("../features/validation/batches/rest-offer")).RestOffer);

const FAILED = "The list could not be loaded";

const DownloadDialog = lazyPart(
  async () => (await import("../features/validation/results/download-dialog")).DownloadDialog,
);

function DownloadButton({ batch }: { batch: BatchDetail }): ReactNode {
  return (
    <DialogButton
      kind="primary"
      shortcut="e"
      dialog={(close) => (
        <Suspense>
          <DownloadDialog batch={batch} onClose={close} />
        </Suspense>
      )}
    >
      <Download size={16} aria-hidden />
      {hasEnded(batch.status) ? "Download" : "Download results so far"}
    </DialogButton>
  );
}

function Head({ batch }: { batch: BatchDetail }): ReactNode {
  const { status: processing_status, duplicates_removed, created_at, expired_at } = batch;
  const lead = (
    <span className="row">
      <BatchBadge status={processing_status} />
      <PrivateMark batch={batch} />
      <span className="nums">{formatExtent(getListedStanding(batch))}</span>
      <span className="nums">{formatCount(duplicates_removed, "duplicate")} removed</span>
      <Term name={`${batch.checks}_checks`}>{formatChecks(batch)}</Term>
      <Time at={created_at} />
    </span>
  );
  const { mayDownload } = useListAccess();
  const kept = !expired_at;
  const action = (
    <div className="row">
      {hasEnded(processing_status) && kept ? (
        <ButtonLink href={getNextSteps(batch.batch_id)}>Next steps</ButtonLink>
      ) : null}
      {processing_status === "completed" && kept && mayDownload ? <ReportButton batch={batch} /> : null}
      {mayDownload ? <DownloadButton batch={batch} /> : null}
    </div>
  );
  return <PageHead title={getBatchTitle(batch)} lead={lead} action={action} />;
}

/** Why it failed or pauses, and what became of its results. */
function Notices({ batch }: { batch: BatchDetail }): ReactNode {
  const { error, expired_at, status: processing_status, checking_in_full } = batch;
  return (
    <>
      {checking_in_full ? (
        <p className="notice" role="status">
          The addresses that basic checks left open are being checked in full. The others stay as they are.
        </p>
      ) : null}
      {error ? (
        <p className={processing_status === "failed" ? "notice notice-danger" : "notice"}>{error}</p>
      ) : null}
      {expired_at ? (
        <p className="notice">
          The results were removed on {formatDateTime(expired_at)}, at the end of their retention time. The
          counts stay.
        </p>
      ) : null}
    </>
  );
}

/** The page of one list: its figures, then every result. */
export default function Results({ batch_id }: { batch_id: string }): ReactNode {
  const batch = useQuery({
    queryKey: ["batch", batch_id],
    queryFn: () => loadBatch(batch_id, 1),
    refetchInterval: ({ state }) => (state.data && isActiveStatus(state.data.status) ? POLL_MS : false),
  });
  const status = batch.data?.status;
  const before = useRef(status);
  useEffect(() => {
    // What has begun or ended since has other results than those on the page.
    if (before.current && before.current !== status) {
      void queryClient.invalidateQueries({ queryKey: ["results", batch_id] });
    }
    before.current = status;
  }, [batch_id, status]);
  if (!batch.data) {
    return batch.error ? <ErrorState query={batch} fallback={FAILED} wholePage /> : <SkeletonPage />;
  }
  return (
    <div data-wide>
      <Head batch={batch.data} />
      <div className="stack">
        <StaleNote query={batch} fallback={FAILED} />
        <BatchActions batch={batch.data} />
        <Suspense>
          {batch.data.rest ? <RestOffer batch={batch.data} rest={batch.data.rest} /> : null}
        </Suspense>
        <Suspense>{batch.data.not_in_plan_count > 0 ? <FullCheckOffer batch={batch.data} /> : null}</Suspense>
        <Notices batch={batch.data} />
        <Summary batch={batch.data} />
        <ResultsExplorer batchId={batch_id}>
          {status === "completed" ? (
            <Suspense>
              <ListRating batchId={batch_id} />
            </Suspense>
          ) : null}
        </ResultsExplorer>
      </div>
    </div>
  );
}
