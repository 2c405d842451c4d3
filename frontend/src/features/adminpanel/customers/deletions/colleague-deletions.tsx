import { useState, type ReactNode } from "react";

import type { ColleagueDeletion } from "../../../../api/types";
import { useAdminQuery } from "../../use-admin-query";
import { api, readData } from "../../../../lib/client";
import { formatDateTime } from "../../../../lib/format";
import { Button } from "../../../../ui/button";
import { ConfirmDialog } from "../../../../ui/confirm-dialog";
import { StaleNote } from "../../../../ui/stale-note";
import { useFocusFallback } from "../use-focus-fallback";
import { reloadUsers, USERS, USERS_HEADING } from "../use-users";

const LIST = "/api/admin/colleague-deletions";
type Decision = "confirm" | "cancel";

function sendDecision(id: number, step: Decision) {
  const params = { path: { deletion_id: id } };
  return step === "confirm"
    ? readData(api.POST(`${LIST}/{deletion_id}/confirm`, { params }))
    : readData(api.POST(`${LIST}/{deletion_id}/cancel`, { params }));
}

interface DecisionDialogProps {
  asked: ColleagueDeletion;
  step: Decision;
  onClose: () => void;
}

function DecisionDialog({ asked, step, onClose }: DecisionDialogProps) {
  const deletes = step === "confirm";
  return (
    <ConfirmDialog
      title={deletes ? `Delete ${asked.name}?` : `Keep ${asked.name}?`}
      action={deletes ? "Delete user" : "Keep the account"}
      kind={deletes ? "danger" : "primary"}
      act={() => sendDecision(asked.id, step)}
      failed="Failed to send your decision"
      says="here"
      onEnd={(done) => reloadUsers(done && deletes ? asked.user_id : undefined)}
      onClose={onClose}
    >
      <p>
        {deletes
          ? `The account ${asked.email} is closed at once. This cannot be undone. What it did stays on record with its name.`
          : `The request to delete ${asked.email} is cancelled. Nothing is deleted.`}
      </p>
    </ConfirmDialog>
  );
}

interface DeletionRequestProps {
  asked: ColleagueDeletion;
  onDecide: (step: Decision) => void;
}

function DeletionRequest({ asked, onDecide }: DeletionRequestProps) {
  return (
    <li className="stack-2">
      <p className="break">
        <strong>{asked.name}</strong> ({asked.email}), asked by {asked.asked_by}: {asked.reason}
      </p>
      <p className="muted small">
        {asked.may_confirm ? "You can confirm it" : "Another administrator must confirm it"} until{" "}
        {formatDateTime(asked.expires_at)}; otherwise it lapses.
      </p>
      {asked.may_cancel ? (
        <div className="row">
          {asked.may_confirm ? (
            <Button
              kind="danger"
              aria-label={`Confirm the deletion of ${asked.email}`}
              onClick={() => onDecide("confirm")}
            >
              Confirm deletion
            </Button>
          ) : null}
          <Button aria-label={`Cancel the deletion of ${asked.email}`} onClick={() => onDecide("cancel")}>
            Cancel request
          </Button>
        </div>
      ) : null}
    </li>
  );
}

interface WaitingDeletionsProps {
  deletions: readonly ColleagueDeletion[];
  onDecide: (asked: ColleagueDeletion, step: Decision) => void;
}

function WaitingDeletions({ deletions, onDecide }: WaitingDeletionsProps): ReactNode {
  useFocusFallback(USERS_HEADING);
  if (deletions.length === 0) return null;
  return (
    <section className="notice stack-2" aria-labelledby="deletions-heading">
      <h3 id="deletions-heading">Waiting for a second administrator</h3>
      <ul className="stack-4">
        {deletions.map((asked) => (
          <DeletionRequest key={asked.id} asked={asked} onDecide={(step) => onDecide(asked, step)} />
        ))}
      </ul>
    </section>
  );
}

/** The deletions of colleagues that wait for a second administrator; nothing while there is none. */
export function ColleagueDeletions(): ReactNode {
  const query = useAdminQuery([...USERS, "deletions"], () => readData(api.GET(LIST)));
  const [decision, setDecision] = useState<{ asked: ColleagueDeletion; step: Decision } | null>(null);
  return (
    <>
      <StaleNote query={query} fallback="Failed to load the deletions that wait for a second administrator" />
      <WaitingDeletions
        deletions={query.data?.deletions ?? []}
        onDecide={(asked, step) => setDecision({ asked, step })}
      />
      {decision ? <DecisionDialog {...decision} onClose={() => setDecision(null)} /> : null}
    </>
  );
}
