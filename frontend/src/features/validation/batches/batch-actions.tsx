import { useState, type ReactNode } from "react";

import type { BatchDetail } from "../../../api/types";
import { getMessage, useAction } from "../../../lib/use-action";
import { SharingButton } from "../access/private-list";
import { refreshBatch, resumeBatch } from "../calls";
import { hasEnded } from "./progress/list-stage";
import { Button } from "../../../ui/button";
import { CancelBatchDialog, DeleteBatchDialog, getCheckRun, RecheckBatchDialog } from "./batch-dialogs";
import { BatchSettingsDialog } from "./batch-settings-dialog";
import { canRecheck } from "./rechecks";

/** Goes on with a paused batch. */
export function ResumeButton({ batchId, onResumed }: { batchId: string; onResumed?: () => void }): ReactNode {
  const resuming = useAction(() => resumeBatch(batchId), "The batch could not be resumed", {
    done: getMessage,
    onDone: () => {
      refreshBatch(batchId);
      onResumed?.();
    },
  });
  return (
    <Button kind="primary" needs="check" busy={resuming.isPending} onClick={() => resuming.mutate()}>
      Resume
    </Button>
  );
}

type DialogName = "cancel" | "recheck" | "delete" | "keep";

interface BatchDialogProps {
  asked: DialogName;
  batch: BatchDetail;
  onClose: () => void;
}

function BatchDialog({ asked, batch, onClose }: BatchDialogProps): ReactNode {
  switch (asked) {
    case "cancel":
      return (
        <CancelBatchDialog
          batchId={batch.batch_id}
          counted={batch}
          look={getCheckRun({ ...batch, rechecking: batch.rechecked_at !== null })}
          onClose={onClose}
        />
      );
    case "recheck":
      return <RecheckBatchDialog batch={batch} onClose={onClose} />;
    case "delete":
      return <DeleteBatchDialog batch={batch} onClose={onClose} />;
    case "keep":
      return <BatchSettingsDialog batch={batch} onClose={onClose} />;
  }
}

/** What can be done with a batch as it is now. */
export function BatchActions({ batch }: { batch: BatchDetail }): ReactNode {
  const [asked, setAsked] = useState<DialogName | null>(null);
  const ended = hasEnded(batch.status);
  return (
    <div className="row">
      {batch.status === "paused" ? <ResumeButton batchId={batch.batch_id} /> : null}
      {ended ? null : (
        <Button needs="check" onClick={() => setAsked("cancel")}>
          Cancel batch
        </Button>
      )}
      {canRecheck(batch) ? (
        <Button needs="check" onClick={() => setAsked("recheck")}>
          Re-check unknown
        </Button>
      ) : null}
      <Button kind="quiet" needs="change_lists" onClick={() => setAsked("keep")}>
        Rename or keep longer
      </Button>
      <SharingButton batch={batch} />
      {ended ? (
        <Button kind="quiet" needs="change_lists" onClick={() => setAsked("delete")}>
          Delete
        </Button>
      ) : null}
      {asked ? <BatchDialog asked={asked} batch={batch} onClose={() => setAsked(null)} /> : null}
    </div>
  );
}
