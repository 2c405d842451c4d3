import type { ReactNode } from "react";

import type { Batch, BatchDetail, BatchProgress } from "../../../api/types";
import { getBatchTitle } from "../results/exports";
import { formatNumber, formatCount } from "../../../lib/format";
import { navigation } from "../../../lib/session";
import { cancelBatch, checkInFull, deleteBatch, recheckBatch, refreshBatch } from "../calls";
import { QuestionDialog } from "./question-dialog";
import { countUndecided } from "./rechecks";

interface ProgressCounts {
  processed: number;
  total_emails: number;
}

/** Rows are checked for the first time, once more and free, or in full after basic checks. */
type CheckRun = "first" | "again" | "in full";

export function getCheckRun(batch: Pick<BatchProgress, "rechecking" | "checking_in_full">): CheckRun {
  if (batch.checking_in_full) return "in full";
  return batch.rechecking ? "again" : "first";
}

/** What becomes of the rows that are left. */
function describeRemainder(look: CheckRun, left: number, isAll: boolean): string {
  const number = formatNumber(left);
  const comeBack = `Their credits, ${number} at most, come back at once.`;
  if (look === "again") return `The other ${number} keep their first verdict, unknown.`;
  if (look === "in full") return `The other ${number} keep what basic checks said. ${comeBack}`;
  return `${isAll ? "All" : "The other"} ${number} will not be checked. ${comeBack}`;
}

interface CancelBatchDialogProps {
  batchId: string;
  counted: ProgressCounts;
  look: CheckRun;
  onClose: () => void;
}

/** Asks before a batch is stopped: what is done and stays, what is left and comes back. */
export function CancelBatchDialog({ batchId, counted, look, onClose }: CancelBatchDialogProps): ReactNode {
  const { processed, total_emails } = counted;
  const left = total_emails - processed;
  return (
    <QuestionDialog
      title="Cancel this batch?"
      action="Cancel batch"
      cancel="Keep running"
      kind="danger"
      fallback="The batch could not be cancelled"
      act={() => cancelBatch(batchId)}
      onDone={() => refreshBatch(batchId)}
      onClose={onClose}
    >
      <p>
        {processed === 0
          ? "No address has been checked yet."
          : `${formatNumber(processed)} of ${formatCount(total_emails, "address", "addresses")} are done and stay, with their results.`}
      </p>
      <p>{describeRemainder(look, left, left === total_emails)}</p>
    </QuestionDialog>
  );
}

interface BatchDialogProps {
  batch: Batch;
  onClose: () => void;
}

const NEW_VERDICTS = (
  <p className="muted">
    New verdicts take the place of the old ones and are marked as re-checked. Everything else stays as it is.
  </p>
);

export function RecheckBatchDialog({ batch, onClose }: BatchDialogProps & { batch: BatchDetail }): ReactNode {
  return (
    <QuestionDialog
      title="Re-check unknown addresses?"
      action="Re-check unknown"
      cancel="Not now"
      fallback="The addresses could not be re-checked"
      act={() => recheckBatch(batch.batch_id)}
      onDone={() => refreshBatch(batch.batch_id)}
      onClose={onClose}
    >
      <p>
        {formatCount(countUndecided(batch), "unknown address", "unknown addresses")} will be checked again.
        This is free, and possible once for each batch.
      </p>
      {NEW_VERDICTS}
    </QuestionDialog>
  );
}

interface FullCheckDialogProps extends BatchDialogProps {
  count: number;
  /** The most that it takes, in credits. */
  cost: number;
}

/** Asks before what basic checks left open is checked in full: how many rows, and the most it costs. */
export function FullCheckDialog({ batch, count, cost, onClose }: FullCheckDialogProps): ReactNode {
  return (
    <QuestionDialog
      title="Check these in full?"
      action="Check these in full"
      cancel="Not now"
      fallback="The addresses could not be checked in full"
      act={() => checkInFull(batch.batch_id)}
      onDone={() => refreshBatch(batch.batch_id)}
      onClose={onClose}
    >
      <p>
        {formatCount(count, "address", "addresses")} will have every check, for {formatCount(cost, "credit")}{" "}
        at most: each is charged as a new check.
      </p>
      {NEW_VERDICTS}
    </QuestionDialog>
  );
}

export function DeleteBatchDialog({ batch, onClose }: BatchDialogProps): ReactNode {
  return (
    <QuestionDialog
      title={`Delete ${getBatchTitle(batch)}?`}
      action="Delete batch"
      cancel="Keep it"
      kind="danger"
      fallback="The batch could not be deleted"
      act={() => deleteBatch(batch.batch_id)}
      onDone={() => navigation.go("/dashboard?tab=history")}
      onClose={onClose}
    >
      <p>
        The list and {formatCount(batch.processed, "result")} are removed and cannot be brought back. Download
        what you still need first.
      </p>
      <p className="muted">Your totals and the credits used stay as they are.</p>
    </QuestionDialog>
  );
}
