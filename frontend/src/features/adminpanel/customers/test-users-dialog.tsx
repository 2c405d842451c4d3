import type { ReactNode } from "react";

import type { TestUsers } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { formatNumber, formatTime, formatCount } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Failure } from "../../../ui/form";
import { EmptyState, Loaded } from "../../../ui/states";
import { reloadUsers, USERS } from "./use-users";

const FAILED = "Failed to delete test users";

function DeletedUsers({ found }: { found: TestUsers }): ReactNode {
  return (
    <ul className="user-matches" aria-label="To be deleted">
      {found.delete.map(({ id, name, email, plan, last_payment }) => (
        <li key={id}>
          <span className="break">
            <strong>{name}</strong> <span className="muted">{email}</span>
          </span>
          <span className="muted small">
            {toSentenceCase(plan)} · {last_payment ? `last paid ${formatTime(last_payment)}` : "never paid"}
          </span>
        </li>
      ))}
    </ul>
  );
}

function KeptUsers({ found }: { found: TestUsers }): ReactNode {
  if (found.kept.length === 0) return null;
  return (
    <div className="stack-2">
      <h3>Kept: {formatNumber(found.kept.length)}</h3>
      <p className="muted">These match too. Delete them one by one in the table, if they are to go.</p>
      <ul className="user-matches" aria-label="Kept">
        {found.kept.map(({ id, email, why }) => (
          <li key={id}>
            <span className="break">{email}</span>
            <span className="muted small">{why}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function useRemoval(found: TestUsers, onDone: () => void) {
  return useAction(
    () =>
      readData(
        api.DELETE("/api/admin/users/delete-test-users", {
          params: { query: { preview_id: found.preview_id } },
        }),
      ),
    FAILED,
    {
      done: ({ deleted_count }) => `Successfully deleted ${deleted_count} test users!`,
      onDone,
      onEnd: () => reloadUsers(),
    },
  );
}

function MatchingUsers({ found, onClose }: { found: TestUsers; onClose: () => void }): ReactNode {
  const removal = useRemoval(found, onClose);
  const count = found.delete.length;
  return (
    <div className="stack-4">
      {count > 0 ? (
        <>
          <p>
            {formatCount(count, "account")} with “test” in the name or address will be deleted for good, with
            everything that hangs on {count === 1 ? "it" : "them"}. Nobody else is. This cannot be undone.
          </p>
          <DeletedUsers found={found} />
        </>
      ) : (
        <EmptyState title="No test users to delete" plain />
      )}
      <KeptUsers found={found} />
      <Failure>{removal.error ? getErrorMessage(removal.error, FAILED) : null}</Failure>
      <div className="dialog-foot">
        <Button onClick={onClose}>{count > 0 ? "Cancel" : "Close"}</Button>
        {count > 0 ? (
          <Button kind="danger" busy={removal.isPending} onClick={() => removal.mutate()}>
            Delete {formatCount(count, "test user")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** Shows which accounts match, which stay and why, and deletes what was shown. */
export function TestUsersDialog({ onClose }: { onClose: () => void }): ReactNode {
  const preview = useAdminQuery([...USERS, "tests"], () => readData(api.GET("/api/admin/users/test-users")));
  return (
    <Dialog title="Delete Test Users" onClose={onClose} wide>
      <Loaded query={preview} fallback="Failed to load test users" rows={6}>
        {(found) => <MatchingUsers found={found} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}
