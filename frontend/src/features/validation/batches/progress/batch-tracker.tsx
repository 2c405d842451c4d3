import { useState, type ReactNode } from "react";

import type { BatchProgress } from "../../../../api/types";
import { drawRing } from "../../../../lib/tab-sign";
import { useTabSign } from "../../../../lib/use-tab-sign";
import { Button, ButtonLink } from "../../../../ui/button";
import { Dialog } from "../../../../ui/dialog";
import { getNextSteps } from "../../calls";
import { ResumeButton } from "../batch-actions";
import { CancelBatchDialog, getCheckRun } from "../batch-dialogs";
import { formatTitle, getPercent, getStage, getStanding, STAGES, type Stage } from "./list-stage";
import { ProgressBody } from "./progress-body";
import { useBatchProgress } from "./use-batch-progress";
import { useSmoothProgress } from "./use-smooth-progress";

interface BatchTrackerProps {
  batchId: string;
  /** Shown as a modal; else as a panel in the page. */
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
  onCompleted: (progress: BatchProgress) => void;
  onClose: () => void;
}

interface ViewProps extends Omit<BatchTrackerProps, "onCompleted"> {
  progress: BatchProgress | null;
  silentSince: Date | null;
  /** Null until the first answer. */
  stage: Stage | null;
}

function EndedActions({ batchId, stage, onClose }: ViewProps): ReactNode {
  return (
    <>
      <Button onClick={onClose}>Close</Button>
      {stage === "finished" ? (
        <>
          <ButtonLink href={getNextSteps(batchId)}>Next steps</ButtonLink>
          <ButtonLink kind="primary" href={`/dashboard/batch/${batchId}`}>
            View Results
          </ButtonLink>
        </>
      ) : null}
    </>
  );
}

function CancelButton({ progress }: { progress: BatchProgress }): ReactNode {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>Cancel batch</Button>
      {asking ? (
        <CancelBatchDialog
          batchId={progress.batch_id}
          counted={progress}
          look={getCheckRun(progress)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function RunningActions({ batchId, stage, progress, expanded, onExpand }: ViewProps): ReactNode {
  return (
    <>
      {progress && stage && STAGES[stage].cancels ? <CancelButton progress={progress} /> : null}
      {stage === "paused" ? <ResumeButton batchId={batchId} /> : null}
      <Button onClick={() => onExpand(!expanded)}>
        {expanded ? "Continue in background" : "Show progress"}
      </Button>
    </>
  );
}

function Actions(props: ViewProps): ReactNode {
  const ended = props.stage !== null && STAGES[props.stage].ended;
  return ended ? <EndedActions {...props} /> : <RunningActions {...props} />;
}

function TrackerModal(props: ViewProps): ReactNode {
  const { stage, progress, onExpand, onClose } = props;
  const ended = stage !== null && STAGES[stage].ended;
  return (
    <Dialog
      title={formatTitle(stage, progress)}
      onClose={ended ? onClose : () => onExpand(false)}
      closable={false}
      actions={<Actions {...props} />}
    >
      <ProgressBody {...props} />
    </Dialog>
  );
}

function TrackerPanel(props: ViewProps): ReactNode {
  const { stage, progress } = props;
  return (
    <section className="card stack-4" aria-label="Batch progress">
      <div className="row row-between">
        <h2>{formatTitle(stage, progress)}</h2>
        <div className="row">
          <Actions {...props} />
        </div>
      </div>
      <ProgressBody {...props} />
    </section>
  );
}

function useProgressSign(progress: BatchProgress | null, title: string): void {
  const percent = progress ? getPercent(getStanding(progress)) : 0;
  useTabSign(progress ? { words: `${percent}% ${title}`, icon: drawRing(percent) } : null);
}

/** The progress of one batch, as modal or panel. Close appears only when there is nothing left to wait for. */
export function BatchTracker({ onCompleted, onClose, ...rest }: BatchTrackerProps): ReactNode {
  const { answer, answeredAt, silentSince, completeNow } = useBatchProgress(rest.batchId, onCompleted);
  const progress = useSmoothProgress(answer, answeredAt);
  const stage = progress ? getStage(getStanding(progress)) : null;
  useProgressSign(progress, formatTitle(stage, progress));
  const View = rest.expanded ? TrackerModal : TrackerPanel;
  const close = () => {
    // Closing ends the following: what has ended is told before.
    completeNow();
    onClose();
  };
  return <View {...rest} onClose={close} progress={progress} silentSince={silentSince} stage={stage} />;
}
