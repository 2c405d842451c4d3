import { useState, type ReactNode } from "react";

import type { BatchProgress, BatchStatus } from "../../../../api/types";
import { formatDateTime, formatDuration, formatNumber, NO_VALUE } from "../../../../lib/format";
import { useBatchProgress, hasEnded } from "./use-batch-progress";
import { getSecondsLeft } from "./waiting-labels";
import { isActiveStatus, formatStatus } from "../../../../lib/labels";
import { Button, ButtonLink } from "../../../../ui/button";
import { Dialog } from "../../../../ui/dialog";
import { ResultBar } from "../../../../ui/progress";
import { BatchBadge } from "../../../../ui/status-badge";
import { ResumeButton } from "../batch-actions";
import { CancelBatchDialog, getCheckRun } from "../batch-dialogs";
import { InterimResults } from "./interim-results";
import { WaitingRows } from "./waiting-rows";

function ProgressFigures({ progress }: { progress: BatchProgress }): ReactNode {
  const { processed_emails, total_emails, valid_count, invalid_count, rate } = progress;
  const left = getSecondsLeft(progress);
  const running = isActiveStatus(progress.status);
  return (
    <div className="progress-figures">
      <span>Total {formatNumber(total_emails)}</span>
      <span>Processed {formatNumber(processed_emails)}</span>
      <span>Valid {formatNumber(valid_count)}</span>
      <span>Invalid {formatNumber(invalid_count)}</span>
      {running ? <span>Speed {rate === null ? NO_VALUE : `${formatNumber(rate)}/s`}</span> : null}
      {running ? <span>Time left {left === null ? NO_VALUE : formatDuration(left)}</span> : null}
    </div>
  );
}

function ProgressHint({ status }: { status: BatchStatus }): ReactNode {
  if (isActiveStatus(status)) {
    return (
      <p className="hint">You can leave this page: the list goes on, and History shows how far it is.</p>
    );
  }
  if (status !== "cancelled" && status !== "failed") return null;
  return (
    <p className="hint">
      What is done is kept in <a href="/dashboard?tab=history">History</a>; the credits for the rest are back.
    </p>
  );
}

interface ProgressBodyProps {
  progress: BatchProgress | null;
  silentSince: Date | null;
}

function ProgressBody({ progress, silentSince }: ProgressBodyProps): ReactNode {
  if (!progress) return <div className="skeleton skeleton-row" />;
  const { status, total_emails, progress_percentage, error } = progress;
  return (
    <div className="stack-4">
      <div className="row row-between">
        <span className="progress-percent">{Math.floor(progress_percentage)}%</span>
        <BatchBadge status={status} />
      </div>
      <ResultBar counts={progress} total={total_emails} label={`${Math.floor(progress_percentage)}% done`} />
      <ProgressFigures progress={progress} />
      {error ? (
        <p className={status === "failed" ? "notice notice-danger" : "notice"} role="alert">
          {error}
        </p>
      ) : null}
      {silentSince ? (
        <p className="notice" role="status">
          No answer from the server. Last one: {formatDateTime(silentSince.toISOString())}. Still trying.
        </p>
      ) : null}
      {hasEnded(status) ? null : (
        <>
          <InterimResults batchId={progress.batch_id} done={progress.processed_emails} />
          <WaitingRows progress={progress} />
        </>
      )}
      <ProgressHint status={status} />
    </div>
  );
}

interface BatchTrackerProps {
  batchId: string;
  /** Shown as a modal; else as a panel in the page. */
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
  onCompleted: (progress: BatchProgress) => void;
  onClose: () => void;
}

function EndedActions({ batchId, status, onClose }: ViewProps): ReactNode {
  return (
    <>
      <Button onClick={onClose}>Close</Button>
      {status === "completed" ? (
        <ButtonLink kind="primary" href={`/dashboard/batch/${batchId}`}>
          View Results
        </ButtonLink>
      ) : null}
    </>
  );
}

function RunningActions({ batchId, status, expanded, tracked, onExpand }: ViewProps): ReactNode {
  const [asking, setAsking] = useState(false);
  const { progress } = tracked;
  return (
    <>
      {progress ? <Button onClick={() => setAsking(true)}>Cancel batch</Button> : null}
      {status === "paused" ? <ResumeButton batchId={batchId} /> : null}
      <Button onClick={() => onExpand(!expanded)}>
        {expanded ? "Continue in background" : "Show progress"}
      </Button>
      {progress && asking ? (
        <CancelBatchDialog
          batchId={batchId}
          counted={progress}
          look={getCheckRun(progress)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

interface ViewProps extends Omit<BatchTrackerProps, "onCompleted"> {
  tracked: ProgressBodyProps;
  status: BatchStatus;
  ended: boolean;
}

function formatTitle({ status, ended, tracked }: ViewProps): string {
  if (ended || status === "paused") return `List ${formatStatus(status)}`;
  return tracked.progress?.checking_in_full
    ? "Checking in full what basic checks left open"
    : "Validating your list";
}

function TrackerModal(props: ViewProps): ReactNode {
  const { ended, tracked, onExpand, onClose } = props;
  return (
    <Dialog
      title={formatTitle(props)}
      onClose={ended ? onClose : () => onExpand(false)}
      closable={false}
      actions={ended ? <EndedActions {...props} /> : <RunningActions {...props} />}
    >
      <ProgressBody {...tracked} />
    </Dialog>
  );
}

function TrackerPanel(props: ViewProps): ReactNode {
  const { ended, tracked } = props;
  return (
    <section className="card stack-4" aria-label="Batch progress">
      <div className="row row-between">
        <h2>{formatTitle(props)}</h2>
        <div className="row">{ended ? <EndedActions {...props} /> : <RunningActions {...props} />}</div>
      </div>
      <ProgressBody {...tracked} />
    </section>
  );
}

/** The progress of one batch, as modal or panel. Close appears only when there is nothing left to wait for. */
export function BatchTracker({ onCompleted, ...rest }: BatchTrackerProps): ReactNode {
  const [reported, setReported] = useState(false);
  const tracked = useBatchProgress(rest.batchId, (progress) => {
    setReported(true);
    onCompleted(progress);
  });
  const status = tracked.progress?.status ?? "queued";
  // A completed list can be closed once its completion was reported: closing ends the following.
  const ended = hasEnded(status) && (status !== "completed" || reported);
  const View = rest.expanded ? TrackerModal : TrackerPanel;
  return <View {...rest} tracked={tracked} status={status} ended={ended} />;
}
