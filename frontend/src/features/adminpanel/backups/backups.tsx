import type { ReactNode } from "react";

import type { Backup } from "../../../api/types";
import { downloadFile } from "../../../lib/download-file";
import { useAction } from "../../../lib/use-action";
import { reloadAdmin, useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatBytes, formatDateTime, formatDuration, NO_VALUE } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { timeColumn, actionsColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { QueryTable } from "../../../ui/data-table/query-table";
import { DialogButton } from "../../../ui/dialog-button";
import { Section } from "../../../ui/section";
import { SkeletonBlock } from "../../../ui/states";
import { JobBadge } from "../system/job-badge";

const KEY = ["backups"] as const;
const LOOK_AGAIN_MS = 2_000;

function reloadBackups(): Promise<void> {
  return reloadAdmin(...KEY);
}

/** Asks, then begins a backup. */
export function CreateBackup({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <ConfirmDialog
      title="Back up everything?"
      action="Start backup"
      kind="primary"
      act={() => readData(api.POST("/api/monitoring/backup/trigger"))}
      done={({ backup_id }) => `Backup initiated: ${backup_id}`}
      failed="Failed to trigger backup"
      says="described"
      onEnd={reloadBackups}
      onClose={onClose}
    >
      <p>
        The database and the uploaded files are copied in the background; nothing stops meanwhile. When it is
        complete, the oldest backups that are too many go.
      </p>
    </ConfirmDialog>
  );
}

function DeleteBackup({ backup, onClose }: { backup: Backup; onClose: () => void }): ReactNode {
  const params = { path: { backup_id: backup.id } };
  return (
    <ConfirmDialog
      title="Delete this backup?"
      action="Delete backup"
      act={() => readData(api.DELETE("/api/monitoring/backups/{backup_id}", { params }))}
      failed="Failed to delete backup"
      onEnd={reloadBackups}
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
  const saving = useAction(
    () => downloadFile(`/api/monitoring/backups/${backup.id}/download`, `${backup.id}.tar.gz`),
    "Failed to download backup",
  );
  const of = `backup of ${formatDateTime(backup.created_at)}`;
  return (
    <div className="system-actions">
      {backup.status === "completed" ? (
        <Button busy={saving.isPending} aria-label={`Download ${of}`} onClick={() => saving.mutate()}>
          Download
        </Button>
      ) : null}
      {backup.status === "running" ? null : (
        <DialogButton
          kind="quiet"
          aria-label={`Delete ${of}`}
          dialog={(close) => <DeleteBackup backup={backup} onClose={close} />}
        >
          Delete
        </DialogButton>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<Backup>[] = [
  timeColumn("time", "Time", ({ created_at }) => created_at, { className: "" }),
  textColumn("result", "Result", ({ status }) => <JobBadge status={status} />, {
    note: ({ error }) => error,
  }),
  textColumn("size", "Size", ({ size }) => (size === null ? NO_VALUE : formatBytes(size)), {
    align: "number",
  }),
  textColumn("duration", "Duration", ({ duration_seconds }) => formatDuration(duration_seconds), {
    align: "number",
  }),
  actionsColumn((backup) => <BackupActions backup={backup} />),
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
  const backups = useAdminQuery(
    KEY,
    () => readData(api.GET("/api/monitoring/backups")),
    (data) => (data?.backups.some(({ status }) => status === "running") ? LOOK_AGAIN_MS : false),
  );
  return (
    <Section
      id="backups-heading"
      title="Backups"
      aside={<DialogButton dialog={(close) => <CreateBackup onClose={close} />}>Back up now</DialogButton>}
    >
      <QueryTable
        label="Backups"
        phone="pairs"
        query={backups}
        fallback="Failed to load backups"
        skeleton={<SkeletonBlock className="skeleton-system-list" />}
        columns={COLUMNS}
        pick={(found) => found.backups}
        getKey={({ id }) => id}
        empty={{
          title: "No backups yet",
          text: "A backup holds the database and the uploaded files.",
          action: (
            <DialogButton dialog={(close) => <CreateBackup onClose={close} />}>Make the first</DialogButton>
          ),
        }}
      />
      <RestoreHelp />
    </Section>
  );
}
