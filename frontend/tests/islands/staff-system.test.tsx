import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { SystemTab } from "../../src/features/adminpanel/system/system-tab";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const AT = "2030-01-31T04:05:06Z";
const STATS = {
  stats: {
    database: { connections: 3, size: "12.5 MB" },
    server: { cpu: 17.5, memory: 61.2, uptime: "3 h 12 min" },
    users: { total: 1234, active: 1200, new_today: 7 },
    api: { requests_today: 98765, avg_response: 42, errors: 4 },
  },
  userLogs: [],
  systemLogs: [],
};
const SERVICES = {
  workers: [
    { host: "alder", queue: "bulk", started_at: "2030-01-31T04:00:00Z", seen_at: AT, reported_at: AT },
  ],
  restart_asked_at: null,
  optimisation: {
    created_at: AT,
    duration_seconds: 2,
    status: "completed",
    note: "2.0 MB before",
    error: null,
  },
};
const WORK = {
  kind: "batch",
  id: "bat_1",
  age_seconds: 660,
  attempts: 2,
  error: "Nothing has happened in it",
  state: "processing",
};
const ENTRY = {
  time: AT,
  user: "sam@emailcheck.app",
  action: "Role changed",
  target: "account 4",
  changes: { role: ["user", "admin"] },
  ip: "10.0.0.1",
};

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/admin/system-stats": () => json(STATS),
    "GET /api/admin/system/services": () => json(SERVICES),
    "GET /api/monitoring/backups": () => json({ backups: [] }),
    "GET /api/admin/work": () => json({ work: [WORK] }),
    "GET /api/admin/system/activity": () =>
      json({ activity: [{ timestamp: AT, user: "a@b.com", action: "Bought", ip: "10.0.0.2" }], next: null }),
    "GET /api/admin/system/logs": () =>
      json({ logs: [{ timestamp: AT, level: "ERROR", message: "shop [req] failed\nTrace" }], next: "more" }),
    "GET /api/admin/audit": () => json({ entries: [ENTRY], next: null }),
    "GET /api/admin/claims": () => json({ claims: [] }),
    "GET /api/admin/emails": () => json({ emails: [] }),
    ...handlers,
  });
  return { calls, user: show(<SystemTab />) };
}

const last = (calls: ReturnType<typeof serve>, path: string) =>
  Object.fromEntries(calls.filter((call) => call.path === path).at(-1)?.query ?? []);

it("[MON-051] [MON-052] [MON-053] shows figures, activity, logs and audit as the server tells them", async () => {
  open();
  for (const words of ["12.5 MB", "3 open connections", "17.5%", "61.2%", "3 h 12 min", "98,765", "1,234"]) {
    expect(await screen.findByText(words)).toBeTruthy();
  }
  expect((await screen.findByText("Bought")).closest("tr")?.textContent).toContain("a@b.comBought10.0.0.2");
  expect((await screen.findByText("shop [req] failed")).closest("li")?.textContent).toContain("ERROR");
  expect((await screen.findByText("Role changed")).closest("tr")?.textContent).toContain(
    "sam@emailcheck.appRole changedrole: user → adminAccount 410.0.0.1",
  );
});

it("[SEC-014] the audit names what it is about in words, and no change that says nothing", async () => {
  const entry = { ...ENTRY, target: "custom_plan:1", changes: { note: [null, ""], credits: [100, 0] } };
  open({ "GET /api/admin/audit": () => json({ entries: [entry], next: null }) });
  const row = (await screen.findByText("Role changed")).closest("tr");
  expect(row?.textContent).toContain("Role changedcredits: 100 → 0Custom plan 110.0.0.1");
});

it.each([
  ["INFO", "DEBUG records are not kept"],
  ["DEBUG", "No log record matches"],
])(
  "[J7] [MON-053] where records are kept from %s on, an empty filter DEBUG says: %s",
  async (stored_from, words) => {
    history.replaceState(null, "", "/admin?tab=system&level=DEBUG");
    open({ "GET /api/admin/system/logs": () => json({ logs: [], next: null, stored_from }) });
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByText("LOG_STORE_LEVEL is INFO: what is below it is not stored.") !== null).toBe(
      stored_from === "INFO",
    );
  },
);

it("[MON-053] filters logs by level and text, and goes on to older ones", async () => {
  const { user, calls } = open();
  await user.selectOptions(await screen.findByRole("combobox", { name: "Level" }), "ERROR");
  await user.type(screen.getByRole("searchbox", { name: "Search logs" }), "req");
  const path = "/api/admin/system/logs";
  await expect.poll(() => last(calls, path)).toEqual({ search: "req", level: "ERROR", cursor: "" });
  const logs = within(screen.getByRole("region", { name: "System logs" }));
  await user.click(await logs.findByRole("button", { name: "Older" }));
  await expect.poll(() => last(calls, path).cursor).toBe("more");
  expect(location.search).toBe("?level=ERROR&log=req");
});

it("[MON-052] finds activity by who and kind", async () => {
  const { user, calls } = open();
  await user.selectOptions(await screen.findByRole("combobox", { name: "Kind" }), "Purchases");
  await user.type(screen.getByRole("searchbox", { name: "Search activity" }), "anna@");
  await expect
    .poll(() => last(calls, "/api/admin/system/activity"))
    .toEqual({ search: "anna@", kind: "purchase", cursor: "" });
});

it.each([
  ["Optimize", "Optimize", "optimize", "Optimisation started"],
  ["Clear cache", "Clear cache", "clear-cache", "Cache cleared"],
  ["Restart services", "Restart", "restart-services", "The workers restart"],
])("[MON-054] [MON-056] %s asks first", async (button, action, path, message) => {
  const { user, calls } = open({
    [`POST /api/admin/system/${path}`]: () => json({ message, task_id: null }),
  });
  await user.click(await screen.findByRole("button", { name: button }));
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: action }));
  expect(await screen.findByText(message)).toBeTruthy();
});

it("[MON-056] a refused action says why", async () => {
  const { user } = open({
    "POST /api/admin/system/restart-services": () =>
      refusal(409, "NO_SUPERVISOR", "No supervisor runs here."),
  });
  await user.click(await screen.findByRole("button", { name: "Restart services" }));
  await user.click(screen.getByRole("button", { name: "Restart" }));
  expect(await screen.findByText("No supervisor runs here.")).toBeTruthy();
});

it.each([
  ["Export user data", "Export", "/api/admin/system/export-users", "User data exported", /^users-.*\.csv$/],
  ["Download logs", "Download", "/api/admin/system/logs/download", "Logs downloaded", /^emailcheck-.*\.log$/],
])("[MON-054] [MON-056] %s asks first, then saves a file", async (button, action, path, message, name) => {
  const names: string[] = [];
  vi.stubGlobal(
    "URL",
    Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const { user, calls } = open({ [`GET ${path}`]: () => new Response("text") });
  await user.click(await screen.findByRole("button", { name: button }));
  expect(calls.some((call) => call.path === path)).toBe(false);
  await user.click(screen.getByRole("button", { name: action }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(names[0]).toMatch(name);
});

it.each([
  ["Retry", "retry", "Queued again"],
  ["Cancel batch", "cancel", "Cancelled"],
])("[MON-041] %s asks first", async (action, verb, message) => {
  let work = [WORK];
  const { user, calls } = open({
    "GET /api/admin/work": () => json({ work }),
    [`POST /api/admin/work/batch/bat_1/${verb}`]: () => {
      work = [];
      return json({ message });
    },
  });
  const row = (await screen.findByText("bat_1")).closest("tr");
  expect(row?.textContent).toContain("Batchbat_1ProcessingNothing has happened in it11 min2RetryCancel");
  await user.click(
    screen.getByRole("button", { name: `${verb === "retry" ? "Retry" : "Cancel"} batch bat_1` }),
  );
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: action }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(await screen.findByText("Nothing is stuck")).toBeTruthy();
});

it("[MON-041] selected pieces are retried together, after a question; a refusal leaves the rest as it was", async () => {
  let work = [WORK, { ...WORK, kind: "task", id: "t2" }, { ...WORK, kind: "chunk", id: "c3" }];
  const retried = (id: string) => () => {
    work = work.filter((one) => one.id !== id);
    return json({ message: "Queued again" });
  };
  const { user, calls } = open({
    "GET /api/admin/work": () => json({ work }),
    "POST /api/admin/work/batch/bat_1/retry": retried("bat_1"),
    "POST /api/admin/work/chunk/c3/retry": () => refusal(409, "CONFLICT", "It runs again."),
  });
  const told = () => calls.filter(({ method }) => method === "POST").map(({ path }) => path);
  await user.click(await screen.findByRole("checkbox", { name: "Select batch bat_1" }));
  await user.click(screen.getByRole("checkbox", { name: "Select chunk c3" }));
  await user.click(screen.getByRole("button", { name: "Retry selected" }));
  const dialog = screen.getByRole("dialog", { name: "Retry 2 pieces of work?" });
  expect(told()).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("It runs again.")).toBeTruthy();
  expect(told()).toEqual(["/api/admin/work/batch/bat_1/retry", "/api/admin/work/chunk/c3/retry"]);
  await expect.poll(() => screen.queryByText("bat_1")).toBeNull();
  expect(screen.getByText("1 selected")).toBeTruthy();
});

it("[MON-057] [ADM-015] failed loads say what failed and offer another try, and show no figures", async () => {
  const failed = () => refusal(500, "ERROR", "");
  open({
    "GET /api/admin/system-stats": failed,
    "GET /api/admin/system/services": failed,
    "GET /api/monitoring/backups": failed,
    "GET /api/admin/work": failed,
    "GET /api/admin/system/activity": failed,
    "GET /api/admin/system/logs": failed,
    "GET /api/admin/audit": failed,
    "GET /api/admin/claims": failed,
    "GET /api/admin/emails": failed,
  });
  await expect.poll(() => screen.queryAllByRole("button", { name: "Retry" }).length).toBe(9);
  const words = screen.getAllByRole("alert").map(({ textContent }) => textContent);
  expect(words[0]).toContain("Failed to load system statistics");
  expect(screen.queryByText(/%$/)).toBeNull();
});

it("[MON-057] a failed refresh keeps the last figures and says how old they are", async () => {
  let down = false;
  const { user } = open({
    "GET /api/admin/system-stats": () => (down ? refusal(500, "ERROR", "") : json(STATS)),
  });
  await screen.findByText("12.5 MB");
  down = true;
  const stats = within(screen.getByRole("region", { name: "System" }));
  await user.click(stats.getByRole("button", { name: "Refresh" }));
  expect((await stats.findByRole("alert")).textContent).toContain("These values are from");
  expect(screen.getByText("12.5 MB")).toBeTruthy();
});

it("[look-16] stuck work opens beside its list, with its whole error and what can be done", async () => {
  const chunk = { ...WORK, kind: "chunk", id: "bat_1:3", error: "The lease ended" };
  const { user } = open({ "GET /api/admin/work": () => json({ work: [WORK, chunk] }) });
  await user.click(await screen.findByRole("button", { name: "Batch bat_1" }));
  const first = within(screen.getByRole("dialog", { name: "Batch bat_1" }));
  expect(first.getByText("1 of 2")).toBeTruthy();
  expect(first.getByText("Nothing has happened in it")).toBeTruthy();
  await user.keyboard("j");
  const next = within(screen.getByRole("dialog", { name: "Chunk bat_1:3" }));
  expect(new URLSearchParams(location.search).get("work")).toBe("chunk bat_1:3");
  expect(next.getByText("The lease ended")).toBeTruthy();
  await user.click(next.getByRole("button", { name: "Retry chunk bat_1:3" }));
  expect(await screen.findByRole("dialog", { name: "Retry this chunk?" })).toBeTruthy();
});
