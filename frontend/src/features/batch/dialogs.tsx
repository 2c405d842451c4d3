import type { ReactNode } from "react";

import type { Batch } from "../../api/types";
import { titleOf } from "../../lib/exports";
import { formatNumber, plural } from "../../lib/format";
import { navigation } from "../../lib/session";
import { cancelBatch, deleteBatch, recheckBatch, refreshBatch } from "../../lib/validations";
import { AskDialog } from "./ask-dialog";

interface Counted {
  processed_emails: number;
  total_emails: number;
}

interface CancelDialogProps {
  batchId: string;
  counted: Counted;
  /** Unknown rows are being checked a second time, which costs nothing. */
  rechecking: boolean;
  onClose: () => void;
}

/** Asks before a batch is stopped: what is done and stays, what is left and comes back. */
export function CancelDialog({ batchId, counted, rechecking, onClose }: CancelDialogProps): ReactNode {
  const { processed_emails, total_emails } = counted;
  const left = total_emails - processed_emails;
  return (
    <AskDialog
      title="Cancel this batch?"
      yes="Cancel batch"
      no="Keep running"
      danger
      fallback="The batch could not be cancelled"
      act={() => cancelBatch(batchId)}
      onDone={() => refreshBatch(batchId)}
      onClose={onClose}
    >
      <p>
        {processed_emails === 0
          ? "No address has been checked yet."
          : `${formatNumber(processed_emails)} of ${plural(total_emails, "address", "addresses")} are done and stay, with their results.`}
      </p>
      <p>
        {rechecking
          ? `The other ${formatNumber(left)} keep their first verdict, unknown.`
          : `${left === total_emails ? "All" : "The other"} ${formatNumber(left)} will not be checked. Their credits, ${formatNumber(left)} at most, come back at once.`}
      </p>
    </AskDialog>
  );
}

interface BatchDialogProps {
  batch: Batch;
  onClose: () => void;
}

export function RecheckDialog({ batch, onClose }: BatchDialogProps): ReactNode {
  return (
    <AskDialog
      title="Re-check unknown addresses?"
      yes="Re-check unknown"
      no="Not now"
      fallback="The addresses could not be re-checked"
      act={() => recheckBatch(batch.id)}
      onDone={() => refreshBatch(batch.id)}
      onClose={onClose}
    >
      <p>
        {plural(batch.unknown_count, "unknown address", "unknown addresses")} will be checked again. This is
        free, and possible once for each batch.
      </p>
      <p className="muted">
        New verdicts take the place of the old ones and are marked as re-checked. Everything else stays as it
        is.
      </p>
    </AskDialog>
  );
}

export function DeleteDialog({ batch, onClose }: BatchDialogProps): ReactNode {
  return (
    <AskDialog
      title={`Delete ${titleOf(batch)}?`}
      yes="Delete batch"
      no="Keep it"
      danger
      fallback="The batch could not be deleted"
      act={() => deleteBatch(batch.id)}
      onDone={() => navigation.go("/dashboard?tab=history")}
      onClose={onClose}
    >
      <p>
        The list and {plural(batch.processed_emails, "result")} are removed and cannot be brought back.
        Download what you still need first.
      </p>
      <p className="muted">Your totals and the credits used stay as they are.</p>
    </AskDialog>
  );
}
