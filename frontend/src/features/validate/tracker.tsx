import { useState, type ReactNode } from "react";

import type { BatchProgress, BatchStatus } from "../../api/types";
import { formatDateTime, formatDuration, formatNumber, NO_VALUE } from "../../lib/format";
import { useBatch } from "../../lib/use-batch";
import { hasEnded } from "../../lib/watch-batch";
import { statusWord } from "../../lib/words";
import { Button, ButtonLink } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ResultBar } from "../../ui/progress";
import { BatchBadge } from "../../ui/status-badge";

function Figures({ progress }: { progress: BatchProgress }): ReactNode {
  const { processed_emails, total_emails, valid_count, invalid_count, rate, seconds_left } = progress;
  const running = !hasEnded(progress.status);
  return (
    <div className="progress-figures">
      <span>Total {formatNumber(total_emails)}</span>
      <span>Processed {formatNumber(processed_emails)}</span>
      <span>Valid {formatNumber(valid_count)}</span>
      <span>Invalid {formatNumber(invalid_count)}</span>
      {running ? <span>Speed {rate === null ? NO_VALUE : `${formatNumber(rate)}/s`}</span> : null}
      {running ? (
        <span>Time left {seconds_left === null ? NO_VALUE : formatDuration(seconds_left)}</span>
      ) : null}
    </div>
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
      <Figures progress={progress} />
      {error ? (
        <p className="notice notice-danger" role="alert">
          {error}
        </p>
      ) : null}
      {silentSince ? (
        <p className="notice" role="status">
          No answer from the server. Last one: {formatDateTime(silentSince.toISOString())}. Still trying.
        </p>
      ) : null}
      {hasEnded(status) ? null : (
        <p className="hint">You can leave this page: the list goes on, and History shows how far it is.</p>
      )}
    </div>
  );
}

interface TrackerProps {
  batchId: string;
  /** Shown as a modal; else as a panel in the page. */
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
  onCompleted: (progress: BatchProgress) => void;
  onClose: () => void;
}

function Actions({
  batchId,
  status,
  onClose,
}: {
  batchId: string;
  status: string;
  onClose: () => void;
}): ReactNode {
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

interface ViewProps extends Omit<TrackerProps, "onCompleted"> {
  tracked: ProgressBodyProps;
  status: BatchStatus;
  ended: boolean;
}

function title(status: BatchStatus, ended: boolean): string {
  return ended ? `List ${statusWord(status)}` : "Validating your list";
}

function Modal({ batchId, status, ended, tracked, onExpand, onClose }: ViewProps): ReactNode {
  const shrink = () => onExpand(false);
  const actions = ended ? (
    <Actions batchId={batchId} status={status} onClose={onClose} />
  ) : (
    <Button onClick={shrink}>Continue in background</Button>
  );
  return (
    <Dialog
      title={title(status, ended)}
      onClose={ended ? onClose : shrink}
      closable={false}
      actions={actions}
    >
      <ProgressBody {...tracked} />
    </Dialog>
  );
}

function Panel({ batchId, status, ended, tracked, onExpand, onClose }: ViewProps): ReactNode {
  return (
    <section className="card stack-4" aria-label="Batch progress">
      <div className="row row-between">
        <h2>{title(status, ended)}</h2>
        <div className="row">
          {ended ? (
            <Actions batchId={batchId} status={status} onClose={onClose} />
          ) : (
            <Button onClick={() => onExpand(true)}>Show progress</Button>
          )}
        </div>
      </div>
      <ProgressBody {...tracked} />
    </section>
  );
}

/** The progress of one batch, as modal or panel. Close appears only when there is nothing left to wait for. */
export function Tracker({ onCompleted, ...rest }: TrackerProps): ReactNode {
  const [reported, setReported] = useState(false);
  const tracked = useBatch(rest.batchId, (progress) => {
    setReported(true);
    onCompleted(progress);
  });
  const status = tracked.progress?.status ?? "queued";
  // A completed list can be closed once its completion was reported: closing ends the following.
  const ended = hasEnded(status) && (status !== "completed" || reported);
  const View = rest.expanded ? Modal : Panel;
  return <View {...rest} tracked={tracked} status={status} ended={ended} />;
}
