import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { paths } from "../../../api/types";
import { api, fetchAuthorised, readData } from "../../../lib/client";
import { saveBlob } from "../../../lib/download";
import { getErrorMessage } from "../../../lib/errors";
import { formatDay } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { CreateBackup } from "../backups/backups";
import { LastOptimisation, Services } from "./services";

type Action = paths["/api/admin/system/{action}"]["post"]["parameters"]["path"]["action"];

interface PendingAction {
  title: string;
  action: string;
  text: string;
  failed: string;
  /** Answers what to tell. */
  run: () => Promise<string>;
}

async function runAction(action: Action): Promise<string> {
  const { message } = await readData(
    api.POST("/api/admin/system/{action}", { params: { path: { action } } }),
  );
  return message;
}

async function saveFile(path: string, name: string, done: string): Promise<string> {
  const answer = await fetchAuthorised(new Request(new URL(path, location.origin)));
  saveBlob(await answer.blob(), name);
  return done;
}

const OPTIMIZE: PendingAction = {
  title: "Optimize the database?",
  action: "Optimize",
  text: "Unused room is given back and statistics are counted anew, in the background. On SQLite writers wait for some seconds; a file above 512 MB is left as it is.",
  failed: "Failed to optimize the database",
  run: () => runAction("optimize"),
};
const LOGS: PendingAction = {
  title: "Download the logs?",
  action: "Download",
  text: "The latest log records of this machine as a text file. Addresses, tokens and keys are not in it. The download is on record with your name.",
  failed: "Failed to download logs",
  run: () => saveFile("/api/admin/system/logs/download", `emailcheck-${formatDay()}.log`, "Logs downloaded"),
};
const USERS: PendingAction = {
  title: "Export all users?",
  action: "Export",
  text: "Names, addresses, plans and credits of every account as CSV, without passwords and keys. The export is on record with your name.",
  failed: "Failed to export user data",
  run: () => saveFile("/api/admin/system/export-users", `users-${formatDay()}.csv`, "User data exported"),
};
const CACHE: PendingAction = {
  title: "Clear the cache?",
  action: "Clear cache",
  text: "The application's cache alone: nobody is signed out, and limits go on counting. It fills again by itself.",
  failed: "Failed to clear the cache",
  run: () => runAction("clear-cache"),
};
const RESTART: PendingAction = {
  title: "Restart the workers?",
  action: "Restart",
  text: "Background workers end what they are at, which can take two minutes, and start anew. Lists go on by themselves. The website is not restarted.",
  failed: "Failed to restart services",
  run: () => runAction("restart-services"),
};

function ActionQuestion({ wish, onClose }: { wish: PendingAction; onClose: () => void }): ReactNode {
  const doing = useMutation({
    mutationFn: wish.run,
    onSuccess: (message) => toast.success(message),
    onError: (error) => toast.error(getErrorMessage(error, wish.failed)),
    onSettled: () => {
      onClose();
      return queryClient.invalidateQueries({ queryKey: ["admin", "system"] });
    },
  });
  return (
    <ConfirmDialog
      title={wish.title}
      action={wish.action}
      kind="primary"
      busy={doing.isPending}
      onConfirm={() => doing.mutate()}
      onClose={onClose}
    >
      <p>{wish.text}</p>
    </ConfirmDialog>
  );
}

/** What staff can do to the running system; each asks first and is recorded. */
export function SystemActions(): ReactNode {
  const [wish, setWish] = useState<PendingAction | "backup" | null>(null);
  const close = () => setWish(null);
  return (
    <div className="system-halves">
      <section className="card stack-4" aria-labelledby="database-heading">
        <h2 id="database-heading">Database Management</h2>
        <p className="muted">Backups and upkeep go on in the background; nothing stops meanwhile.</p>
        <LastOptimisation />
        <div className="system-buttons">
          <Button onClick={() => setWish("backup")}>Backup</Button>
          <Button onClick={() => setWish(OPTIMIZE)}>Optimize</Button>
          <Button onClick={() => setWish(USERS)}>Export user data</Button>
        </div>
      </section>
      <section className="card stack-4" aria-labelledby="actions-heading">
        <h2 id="actions-heading">System Actions</h2>
        <Services />
        <div className="system-buttons">
          <Button onClick={() => setWish(LOGS)}>Download logs</Button>
          <Button onClick={() => setWish(CACHE)}>Clear cache</Button>
          <Button onClick={() => setWish(RESTART)}>Restart services</Button>
        </div>
      </section>
      {wish === "backup" ? <CreateBackup onClose={close} /> : null}
      {wish !== null && wish !== "backup" ? <ActionQuestion wish={wish} onClose={close} /> : null}
    </div>
  );
}
