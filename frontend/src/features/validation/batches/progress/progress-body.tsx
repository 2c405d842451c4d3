import type { ReactNode } from "react";

import type { BatchProgress } from "../../../../api/types";
import { formatDateTime, formatNumber, NO_VALUE } from "../../../../lib/format";
import { formatListName } from "../../../../lib/labels";
import { ResultProgress } from "../../../../ui/progress";
import { BatchBadge } from "../../../../ui/status-badge";
import { TraceSkeleton } from "../../../../ui/trace";
import { InterimResults } from "./interim-results";
import { LastReplies } from "./last-replies";
import {
  formatProcessed,
  formatQuarter,
  getPercent,
  getStage,
  getStanding,
  isNamedInTitle,
  STAGES,
  type Standing,
} from "./list-stage";
import { StageTrace } from "./stage-trace";
import { formatTimeLeft } from "./waiting-labels";
import { WaitingRows } from "./waiting-rows";

function Pace({ progress }: { progress: BatchProgress }): ReactNode {
  const { rate } = progress;
  return (
    <>
      <span>Speed {rate === null ? NO_VALUE : `${formatNumber(rate)}/s`}</span>
      <span>Time left {formatTimeLeft(progress)}</span>
    </>
  );
}

function Figures({ progress, moves }: { progress: BatchProgress; moves: boolean }): ReactNode {
  const { processed, total_emails, valid_count, invalid_count } = progress;
  return (
    <div className="progress-figures">
      <span>Total {formatNumber(total_emails)}</span>
      <span>Processed {formatNumber(processed)}</span>
      <span>Valid {formatNumber(valid_count)}</span>
      <span>Invalid {formatNumber(invalid_count)}</span>
      {moves ? <Pace progress={progress} /> : null}
    </div>
  );
}

function Hint({ standing }: { standing: Standing }): ReactNode {
  const stage = getStage(standing);
  if (stage === "cancelled" || stage === "failed") {
    return (
      <p className="hint">
        What is done is kept in <a href="/dashboard?tab=history">History</a>; the credits for the rest are
        back.
      </p>
    );
  }
  if (STAGES[stage].ended || stage === "paused") return null;
  return <p className="hint">You can leave this page: the list goes on, and History shows how far it is.</p>;
}

function Notices({ progress, silentSince }: ProgressBodyProps & { progress: BatchProgress }): ReactNode {
  const { error, status } = progress;
  return (
    <>
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
    </>
  );
}

/** What there is to see of a list while it goes on. */
function Meanwhile({ progress }: { progress: BatchProgress }): ReactNode {
  return (
    <>
      <LastReplies progress={progress} />
      <WaitingRows progress={progress} />
      <InterimResults batchId={progress.batch_id} done={progress.processed} />
    </>
  );
}

interface ProgressBodyProps {
  progress: BatchProgress | null;
  silentSince: Date | null;
}

/** How far a list is: the same in the modal and in the panel. */
export function ProgressBody({ progress, silentSince }: ProgressBodyProps): ReactNode {
  if (!progress) return <TraceSkeleton />;
  const standing = getStanding(progress);
  const percent = getPercent(standing);
  const stage = getStage(standing);
  const { ended = false, moves = false, note } = STAGES[stage];
  return (
    <div className="stack-4">
      {isNamedInTitle(stage, progress) ? null : <p className="muted break">{formatListName(progress)}</p>}
      <div className="row row-between">
        <span className="progress-percent">{percent}%</span>
        <BatchBadge status={progress.status} />
      </div>
      <StageTrace stage={stage} />
      <ResultProgress
        counts={progress}
        total={progress.total_emails}
        label="Progress of the list"
        percent={percent}
        done={formatProcessed(standing)}
      />
      <p className="visually-hidden" role="status">
        {formatQuarter(standing)}
      </p>
      <Figures progress={progress} moves={moves} />
      {note ? <p className="hint">{note}</p> : null}
      <Notices progress={progress} silentSince={silentSince} />
      {ended ? null : <Meanwhile progress={progress} />}
      <Hint standing={standing} />
    </div>
  );
}
