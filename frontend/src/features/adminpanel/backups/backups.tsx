import { useMutation } from "@tanstack/react-query";
import { DatabaseBackup } from "lucide-react";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Backup, Backups as Found } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, fetchAuthorised, readData } from "../../../lib/client";
import { saveBlob } from "../../../lib/download";
import { getErrorMessage } from "../../../lib/errors";
import { formatBytes, formatDateTime, formatDuration, NO_VALUE } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { LiveView } from "../../../ui/live-view";
import { EmptyState, SkeletonBlock } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
import { JobBadge } from "../system/job-badge";

const KEY = ["backups"] as const;
const LOOK_AGAIN_MS = 2_000;

function reloadBackups(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ["admin", ...KEY] });
}

/** Asks, then begins a backup. */
export function CreateBackup({ onClose }: { onClose: () => void }): ReactNode {
  const triggering = useMutation({
    mutationFn: () => readData(api.POST("/api/monitoring/backup/trigger")),
    onSuccess: ({ backup_id }) => toast.success(`Backup initiated: ${backup_id}`),
    onError: (error) => toast.error(getErrorMessage(error, "Failed to trigger backup")),
    onSettled: () => {
      onClose();
      return reloadBackups();
    },
  });
  return (
    <ConfirmDialog
      title="Back up everything?"
      action="Start backup"
      kind="primary"
      busy={triggering.isPending}
      onConfirm={() => triggering.mutate()}
      onClose={onClose}
    >
      <p>
        The database and the uploaded files are copied in the background; nothing stops meanwhile. When it is
        complete, the oldest backups that are too many go.
      </p>
    </ConfirmDialog>
  );
}

async function downloadBackup({ id }: Backup): Promise<void> {
  const path = `/api/monitoring/backups/${id}/download`;
  const answer = await fetchAuthorised(new Request(new URL(path, location.origin)));
  saveBlob(await answer.blob(), `${id}.tar.gz`);
}

function DeleteBackup({ backup, onClose }: { backup: Backup; onClose: () => void }): ReactNode {
  const params = { path: { backup_id: backup.id } };
  const deleting = useMutation({
    mutationFn: () => readData(api.DELETE("/api/monitoring/backups/{backup_id}", { params })),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(getErrorMessage(error, "Failed to delete backup")),
    onSettled: () => {
      onClose();
      return reloadBackups();
    },
  });
  return (
    <ConfirmDialog
      title="Delete this backup?"
      action="Delete backup"
      busy={deleting.isPending}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>
        The backup of {formatDateTime(backup.created_at)}
        {backup.size === null ? "" : ` (${formatBytes(backup.size)})`} is gone then. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}

function BackupActions({ backup }: { backup: Backup }): ReactNode {
  const [deleting, setDeleting] = useState(false);
  const saving = useMutation({
    mutationFn: () => downloadBackup(backup),
    onError: (error) => toast.error(getErrorMessage(error, "Failed to download backup")),
  });
  const of = `backup of ${formatDateTime(backup.created_at)}`;
  return (
    <div className="system-actions">
      {backup.status === "completed" ? (
        <Button busy={saving.isPending} aria-label={`Download ${of}`} onClick={() => saving.mutate()}>
          Download
        </Button>
      ) : null}
      {backup.status === "running" ? null : (
        <Button kind="quiet" aria-label={`Delete ${of}`} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      {deleting ? <DeleteBackup backup={backup} onClose={() => setDeleting(false)} /> : null}
    </div>
  );
}

function BackupRow({ backup }: { backup: Backup }): ReactNode {
  return (
    <tr>
      <td data-label="Time">
        <Time at={backup.created_at} />
      </td>
      <td data-label="Result">
        <JobBadge status={backup.status} />
        {backup.error ? <div className="muted small break">{backup.error}</div> : null}
      </td>
      <td className="number" data-label="Size">
        {backup.size === null ? NO_VALUE : formatBytes(backup.size)}
      </td>
      <td className="number" data-label="Duration">
        {formatDuration(backup.duration_seconds)}
      </td>
      <td className="system-cell-actions">
        <BackupActions backup={backup} />
      </td>
    </tr>
  );
}

const COLUMNS = [
  ["Time", ""],
  ["Result", ""],
  ["Size", "number"],
  ["Duration", "number"],
  ["Actions", "number"],
] as const;

function BackupTable({ found }: { found: Found }): ReactNode {
  if (found.backups.length === 0) {
    return (
      <EmptyState icon={DatabaseBackup} title="No backups yet">
        A backup holds the database and the uploaded files.
      </EmptyState>
    );
  }
  return (
    <div className="table-frame">
      <table className="table table-cards system-table">
        <TableHead columns={COLUMNS} />
        <tbody>
          {found.backups.map((backup) => (
            <BackupRow key={backup.id} backup={backup} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RestoreHelp(): ReactNode {
  return (
    <details className="technical">
      <summary>How to restore</summary>
      <p>
        On the server, into a new directory. Nothing that is there is replaced:{" "}
        <code className="break">manage.py restore_backup FILE --into DIRECTORY</code>
      </p>
      <p>
        A backup of PostgreSQL also takes <code className="break">--database postgresql://…</code>, an empty
        one. Then <code>manage.py reconcile</code> counts everything again. The keys of the installation
        (SECRET_KEY, FIELD_ENCRYPTION_KEY) are in no backup: keep them elsewhere.
      </p>
    </details>
  );
}

/** The backups there are, looked at again while one runs. */
export function Backups(): ReactNode {
  const [asking, setAsking] = useState(false);
  const backups = useAdminQuery(
    KEY,
    () => readData(api.GET("/api/monitoring/backups")),
    (data) => (data?.backups.some(({ status }) => status === "running") ? LOOK_AGAIN_MS : false),
  );
  return (
    <section className="stack-4" aria-labelledby="backups-heading">
      <div className="system-head">
        <h2 id="backups-heading">Backups</h2>
        <Button onClick={() => setAsking(true)}>Back up now</Button>
      </div>
      <LiveView
        query={backups}
        fallback="Failed to load backups"
        rows={<SkeletonBlock className="skeleton-system-list" />}
      >
        {(found) => <BackupTable found={found} />}
      </LiveView>
      <RestoreHelp />
      {asking ? <CreateBackup onClose={() => setAsking(false)} /> : null}
    </section>
  );
}
