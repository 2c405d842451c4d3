import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { BatchProgress, Counts, Draft, Result, Started } from "../api/types";
import { GateNotice } from "../features/billing/subscriptions/trial";
import { getDraftKey } from "../features/validation/batches/drafts/upload";
import { PREVIEW_ROWS, type ListOutcome } from "../features/validation/batches/list-outcome";
import { EntryForm } from "../features/validation/batches/entry/entry-form";
import { useEntry } from "../features/validation/batches/entry/use-entry";
import { Examples } from "../features/validation/single/examples";
import type { Outcome } from "../features/validation/shown-outcome";
import { getErrorMessage } from "../lib/errors";
import { formatNumber } from "../lib/format";
import { CATEGORY_WORDS, formatRunning, getCategory } from "../lib/labels";
import { queryClient } from "../lib/query";
import { drawVerdict } from "../lib/tab-sign";
import { useTabSign } from "../lib/use-tab-sign";
import { useSubscription } from "../features/billing/subscriptions/use-subscription";
import { useUrlState } from "../lib/url-state";
import { loadActive, loadBatch, refreshCredits } from "../features/validation/calls";
import { lazyPart } from "../ui/lazy-part";
import { PageHead } from "../ui/page-head";
import { SkeletonCards, SkeletonRows } from "../ui/states";

// What is not there when the page opens comes when it is shown.
const DraftCard = lazyPart(
  async () => (await import("../features/validation/batches/drafts/draft-card")).DraftCard,
);
const Tracker = lazyPart(
  async () => (await import("../features/validation/batches/progress/batch-tracker")).BatchTracker,
);
const ShownOutcome = lazyPart(
  async () => (await import("../features/validation/shown-outcome")).ShownOutcome,
);
const RecentLists = lazyPart(
  async () => (await import("../features/validation/batches/recent-lists")).RecentLists,
);

function formatFinished(count: number): string {
  return `Batch processing complete! Validated ${formatNumber(count)} emails successfully!`;
}

function formatListDone({ total_emails }: Counts): string {
  return formatFinished(total_emails);
}

function formatCheckedAtOnce({ valid_count, invalid_count }: Counts): string {
  return `Validation complete! ${formatNumber(valid_count)} valid, ${formatNumber(invalid_count)} invalid`;
}

async function loadOutcome(batchId: string): Promise<ListOutcome> {
  const batch = await loadBatch(batchId, PREVIEW_ROWS);
  return {
    batchId,
    counts: batch,
    preview: batch.emails,
    duplicatesRemoved: batch.duplicates_removed,
    creditsUsed: batch.credits_used,
  };
}

/** The batch that is being followed: one started here, else one that was running when the page opened. */
function useTrackedBatch() {
  const [started, setStarted] = useState<string | null>(null);
  const [closed, setClosed] = useState<string | null>(null);
  const [expanded, setExpanded] = useState(false);
  const active = useQuery({ queryKey: ["active-on-opening"], queryFn: loadActive, staleTime: Infinity });
  const running = active.data?.[0];
  useEffect(() => {
    if (!running) return;
    const done = `${formatNumber(running.processed)}/${formatNumber(running.total_emails)}`;
    toast.info(`Resuming validation: ${done} emails processed`, { description: formatRunning(running) });
  }, [running]);
  const current = started ?? running?.batch_id ?? null;
  return {
    batchId: current === closed ? null : current,
    expanded,
    setExpanded,
    start: (batchId: string) => {
      setStarted(batchId);
      setExpanded(true);
    },
    close: () => setClosed(current),
  };
}

function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const tracked = useTrackedBatch();
  const showList = (list: ListOutcome) => setOutcome({ kind: "list", list });
  const showAfterwards = (batchId: string, onLoaded?: (list: ListOutcome) => void) => {
    const loaded = (list: ListOutcome) => {
      onLoaded?.(list);
      showList(list);
    };
    loadOutcome(batchId).then(loaded, (error: unknown) => {
      toast.error(getErrorMessage(error, "The results could not be loaded"));
    });
  };
  const complete = (progress: BatchProgress) => {
    toast.success(formatFinished(progress.processed));
    refreshCredits();
    showAfterwards(progress.batch_id);
  };
  const begin = ({ batch_id, status }: Started, formatDone: (counts: Counts) => string) => {
    refreshCredits();
    if (status !== "completed") tracked.start(batch_id);
    else showAfterwards(batch_id, ({ counts }) => toast.success(formatDone(counts)));
  };
  return {
    outcome,
    tracked,
    begin,
    complete,
    showSingle: (result: Result) => {
      setOutcome({ kind: "single", result });
      refreshCredits();
    },
  };
}

/** The file that was uploaded and not started yet; its id is in the address, so that it survives a reload. */
function useOpenUpload() {
  const [search, update] = useUrlState();
  return {
    uploadId: search.get("upload"),
    open: (draft: Draft) => {
      queryClient.setQueryData(getDraftKey(draft.upload_id), draft);
      update({ upload: draft.upload_id });
    },
    leave: () => update({ upload: null }, "replace"),
  };
}

/** The tab of the browser shows the verdict as long as the address stands in the field. */
function useVerdictSign(outcome: Outcome | null, isAnswered: boolean): void {
  const result = outcome?.kind === "single" && isAnswered ? outcome.result : null;
  const category = result ? getCategory(result) : null;
  useTabSign(
    result && category
      ? { words: `${CATEGORY_WORDS[category]}: ${result.email_checked}`, icon: drawVerdict(category) }
      : null,
  );
}

interface ValidateProps {
  sandbox: boolean;
  /** The outside providers that are sent open addresses unless a list says otherwise. */
  providers?: string[];
}

/** The tab Validate: one field for an address, a pasted list, or a file; then what became of it. */
export default function Validate({ sandbox, providers = [] }: ValidateProps): ReactNode {
  const { outcome, tracked, begin, complete, showSingle } = useOutcome();
  const { uploadId, open, leave } = useOpenUpload();
  const { batchId, expanded, setExpanded, close } = tracked;
  const subscription = useSubscription();
  const entry = useEntry({
    onResult: showSingle,
    onStarted: (started) => begin(started, formatListDone),
    onDraft: open,
  });
  useVerdictSign(outcome, entry.isAnswered);
  return (
    <>
      <PageHead
        title="Validate"
        lead={["Check an address, a list, or a file.", subscription.data?.unknown_costs].join(" ").trim()}
      />
      <div className="stack">
        <Suspense fallback={<SkeletonCards count={1} />}>
          {batchId ? (
            <Tracker
              key={batchId}
              batchId={batchId}
              expanded={expanded}
              onExpand={setExpanded}
              onCompleted={complete}
              onClose={close}
            />
          ) : null}
        </Suspense>
        <GateNotice />
        <Suspense fallback={<SkeletonCards count={1} />}>
          {uploadId ? (
            <DraftCard
              key={uploadId}
              uploadId={uploadId}
              startsPrivate={entry.choices.chosen.isPrivate}
              onStarted={(started, pasted) => {
                leave();
                begin(started, pasted ? formatListDone : formatCheckedAtOnce);
              }}
              onGone={leave}
            />
          ) : (
            <EntryForm entry={entry} providers={providers} />
          )}
        </Suspense>
        <Suspense fallback={<SkeletonCards count={1} />}>
          {outcome ? <ShownOutcome outcome={outcome} onResult={showSingle} /> : null}
        </Suspense>
        {sandbox && !uploadId ? (
          <Examples busy={entry.busy} onChoose={entry.check} onSample={entry.write} />
        ) : null}
        <Suspense fallback={<SkeletonRows count={3} />}>
          <RecentLists followed={batchId} />
        </Suspense>
      </div>
    </>
  );
}
