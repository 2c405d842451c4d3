import { useMutation } from "@tanstack/react-query";
import DatabaseBackup from "lucide-react/icons/database-backup";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Backup } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, fetchAuthorised, readData } from "../../../lib/client";
import { saveBlob } from "../../../lib/download";
import { getErrorMessage } from "../../../lib/errors";
import { formatBytes, formatDateTime, formatDuration, NO_VALUE } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { timeColumn, type Column } from "../../../ui/data-table/columns";
import { QueryTable } from "../../../ui/data-table/query-table";
import { SkeletonBlock } from "../../../ui/states";
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

const COLUMNS: readonly Column<Backup>[] = [
  timeColumn("time", "Time", ({ created_at }) => created_at, { className: "" }),
  {
    key: "result",
    title: "Result",
    cell: ({ status }) => <JobBadge status={status} />,
    note: ({ error }) => error,
  },
  {
    key: "size",
    title: "Size",
    align: "number",
    cell: ({ size }) => (size === null ? NO_VALUE : formatBytes(size)),
  },
  {
    key: "duration",
    title: "Duration",
    align: "number",
    cell: ({ duration_seconds }) => formatDuration(duration_seconds),
  },
  {
    key: "actions",
    title: "Actions",
    align: "number",
    className: "system-cell-actions",
    labelled: false,
    cell: (backup) => <BackupActions backup={backup} />,
  },
];

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
      <QueryTable
        label="Backups"
        phone="cards"
        className="system-table"
        query={backups}
        fallback="Failed to load backups"
        skeleton={<SkeletonBlock className="skeleton-system-list" />}
        columns={COLUMNS}
        pick={(found) => found.backups}
        getKey={({ id }) => id}
        empty={{
          icon: DatabaseBackup,
          title: "No backups yet",
          text: "A backup holds the database and the uploaded files.",
        }}
      />
      <RestoreHelp />
      {asking ? <CreateBackup onClose={() => setAsking(false)} /> : null}
    </section>
  );
}
