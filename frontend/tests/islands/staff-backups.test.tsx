import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import type { Backup } from "../../src/api/types";
import { Backups } from "../../src/features/adminpanel/backups/backups";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const LIST = "/api/monitoring/backups";
const TRIGGER = "POST /api/monitoring/backup/trigger";
const MADE: Backup = {
  id: "job_1",
  created_at: "2030-01-31T04:05:06Z",
  size: 1_572_864,
  duration_seconds: 65,
  status: "completed",
  error: null,
};
const FAILED: Backup = {
  ...MADE,
  id: "job_2",
  size: null,
  status: "failed",
  error: "No space left on device",
};
const RUNNING: Backup = { ...MADE, id: "job_3", size: null, status: "running" };

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({ [`GET ${LIST}`]: () => json({ backups: [MADE, FAILED] }), ...handlers });
  return { calls, user: show(<Backups />) };
}

it("[MON-040] lists time, result, size and duration, and says why one failed", async () => {
  open();
  const [, made, failed] = await screen.findAllByRole("row");
  expect(made?.textContent).toContain("Completed1.5 MB1 min 5 sDownloadDelete");
  expect(failed?.textContent).toContain("FailedNo space left on device–1 min 5 sDelete");
  expect(screen.getByText(/restore_backup FILE --into DIRECTORY/)).toBeTruthy();
});

it("[MON-031] [MON-056] asks before it begins one, and says its number", async () => {
  let backups = [MADE];
  const { user, calls } = open({
    [`GET ${LIST}`]: () => json({ backups }),
    [TRIGGER]: () => {
      backups = [RUNNING, MADE];
      return json({ backup_id: RUNNING.id });
    },
  });
  await user.click(await screen.findByRole("button", { name: "Back up now" }));
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
  await user.click(screen.getByRole("button", { name: "Start backup" }));
  expect(await screen.findByText("Backup initiated: job_3")).toBeTruthy();
  expect(await screen.findByText("Running")).toBeTruthy();
  backups = [{ ...RUNNING, status: "completed", size: 5 }, MADE];
  await expect.poll(() => screen.getAllByText("Completed").length).toBe(2);
});

it.each([
  [
    "the server's words",
    refusal(409, "BACKUP_RUNNING", "A backup is already running"),
    "A backup is already running",
  ],
  ["our words above them", refusal(500, "ERROR", "The disk is full"), "Failed to trigger backup"],
  ["ours without them", refusal(500, "ERROR", ""), "Failed to trigger backup"],
])("[J6] [MON-031] [MON-036] a refusal shows %s", async (_, answer, words) => {
  const { user } = open({ [TRIGGER]: () => answer });
  await user.click(await screen.findByRole("button", { name: "Back up now" }));
  await user.click(screen.getByRole("button", { name: "Start backup" }));
  expect(await screen.findByText(words)).toBeTruthy();
});

it("[MON-040] asks before it deletes one", async () => {
  let backups = [MADE];
  const { user, calls } = open({
    [`GET ${LIST}`]: () => json({ backups }),
    [`DELETE ${LIST}/job_1`]: () => {
      backups = [];
      return json({ message: "Backup deleted" });
    },
  });
  await user.click(await screen.findByRole("button", { name: /^Delete backup of/ }));
  expect(calls.some(({ method }) => method === "DELETE")).toBe(false);
  const dialog = within(screen.getByRole("dialog", { name: "Delete this backup?" }));
  expect(dialog.getByText(/1\.5 MB/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Delete backup" }));
  expect(await screen.findByText("Backup deleted")).toBeTruthy();
  expect(await screen.findByText("No backups yet")).toBeTruthy();
});

it("[MON-057] a failed load says so and offers another try", async () => {
  open({ [`GET ${LIST}`]: () => refusal(500, "ERROR", "") });
  expect(await screen.findByRole("button", { name: "Retry" })).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toContain("Failed to load backups");
});
