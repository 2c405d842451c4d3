import { useState, type ReactNode } from "react";

import type { StuckPiece } from "../../../api/types";
import { reloadAdmin } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { toSentenceCase } from "../../../lib/labels";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";

/** What the list is kept under. */
export const STUCK_WORK = ["system", "work"] as const;

/** What tells a piece from all others: ids are those of its kind. */
export function getName({ kind, id }: StuckPiece): string {
  return `${kind} ${id}`;
}

/** The same for people: Batch bat_1. */
export function formatTitle({ kind, id }: StuckPiece): string {
  return `${toSentenceCase(kind)} ${id}`;
}

/** Loads anew what is stuck. */
export function reloadStuckWork(): Promise<void> {
  return reloadAdmin(...STUCK_WORK);
}

type StuckAction = "retry" | "cancel";

const CANCELLING: Record<StuckPiece["kind"], string> = {
  batch: "What is done is kept and charged, the rest is given back to the customer.",
  chunk: "Its rows end as not checked, for which nobody is charged; the rest of the list goes on.",
  file: "It stays in the store, though nobody may read it, until somebody deletes it there.",
  task: "It leaves the queue. What it was for is taken up again by the next sweep, if there is one.",
  webhook: "It is never acted upon, even when it is sent again.",
};

export function callAction({ kind, id }: StuckPiece, verb: StuckAction): Promise<{ message: string }> {
  const params = { path: { kind, work_id: id } };
  return verb === "retry"
    ? readData(api.POST("/api/admin/work/{kind}/{work_id}/retry", { params }))
    : readData(api.POST("/api/admin/work/{kind}/{work_id}/cancel", { params }));
}

interface StuckQuestionProps {
  work: StuckPiece;
  verb: StuckAction;
  onClose: () => void;
}

function StuckQuestion({ work, verb, onClose }: StuckQuestionProps): ReactNode {
  const retries = verb === "retry";
  return (
    <ConfirmDialog
      title={`${retries ? "Retry" : "Cancel"} this ${work.kind}?`}
      action={retries ? "Retry" : `Cancel ${work.kind}`}
      kind={retries ? "primary" : "danger"}
      act={() => callAction(work, verb)}
      failed={`Failed to ${verb} this work`}
      onEnd={reloadStuckWork}
      onClose={onClose}
    >
      <p className="break">
        <code>{work.id}</code>:{" "}
        {retries ? "it is queued again. Doing so twice changes nothing." : CANCELLING[work.kind]}
      </p>
    </ConfirmDialog>
  );
}

/** What can be done about a piece; each asks before. */
export function StuckActions({ work }: { work: StuckPiece }): ReactNode {
  const [verb, setVerb] = useState<StuckAction | null>(null);
  const { kind, id } = work;
  return (
    <>
      <div className="system-actions">
        <Button aria-label={`Retry ${kind} ${id}`} onClick={() => setVerb("retry")}>
          Retry
        </Button>
        <Button kind="quiet" aria-label={`Cancel ${kind} ${id}`} onClick={() => setVerb("cancel")}>
          Cancel
        </Button>
      </div>
      {verb ? <StuckQuestion work={work} verb={verb} onClose={() => setVerb(null)} /> : null}
    </>
  );
}
