import { useState, type ReactNode } from "react";

import type { paths } from "../../../api/types";
import { downloadFile } from "../../../lib/download-file";
import { reloadAdmin } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatDay } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { CreateBackup } from "../backups/backups";
import { LastOptimisation, Services } from "./services";
import { Section } from "../../../ui/section";

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
  await downloadFile(path, name);
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
  return (
    <ConfirmDialog
      title={wish.title}
      action={wish.action}
      kind="primary"
      act={wish.run}
      done={(message) => message}
      failed={wish.failed}
      onEnd={() => reloadAdmin("system")}
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
      <Section id="database-heading" title="Database Management" card>
        <p className="muted">Backups and upkeep go on in the background; nothing stops meanwhile.</p>
        <LastOptimisation />
        <div className="system-buttons">
          <Button onClick={() => setWish("backup")}>Backup</Button>
          <Button onClick={() => setWish(OPTIMIZE)}>Optimize</Button>
          <Button onClick={() => setWish(USERS)}>Export user data</Button>
        </div>
      </Section>
      <Section id="actions-heading" title="System Actions" card>
        <Services />
        <div className="system-buttons">
          <Button onClick={() => setWish(LOGS)}>Download logs</Button>
          <Button onClick={() => setWish(CACHE)}>Clear cache</Button>
          <Button onClick={() => setWish(RESTART)}>Restart services</Button>
        </div>
      </Section>
      {wish === "backup" ? <CreateBackup onClose={close} /> : null}
      {wish !== null && wish !== "backup" ? <ActionQuestion wish={wish} onClose={close} /> : null}
    </div>
  );
}
