// Staff look at the running system, and tell customers of outages and planned work.
import { expect, type Page } from "@playwright/test";

import { signInByCall, test } from "./cast";

const SAM = "sam@emailcheck.app";

async function open(page: Page, tab: string): Promise<void> {
  await signInByCall(page, SAM);
  await page.goto(`/admin?tab=${tab}`);
}

/** What a measured figure shows. */
function figure(page: Page, name: string) {
  return page.locator("dl.measures > div").filter({ has: page.getByText(name, { exact: true }) });
}

test("[MON-001] [MON-003] [MON-004] the API monitor shows what was measured", async ({ page }) => {
  await open(page, "api-monitor");
  await expect(page.getByRole("heading", { name: "API Monitor" })).toBeVisible();
  const volume = figure(page, "Daily volume").locator(".measure-value");
  await expect(volume).toHaveText(/^[\d,]+$/);
  const before = Number((await volume.innerText()).replaceAll(",", ""));
  for (let call = 0; call < 3; call += 1) await page.request.get("/api/plans");
  await page.reload();
  await expect
    .poll(async () => Number((await volume.innerText()).replaceAll(",", "")))
    .toBeGreaterThanOrEqual(before + 3);
  await expect(figure(page, "Success rate")).toContainText("%");
  await expect(figure(page, "Average response time")).toContainText("ms");
  for (const name of ["Validation API", "Database", "Payment provider"]) {
    await expect(page.getByRole("region", { name })).toContainText(/Operational|Degraded|Down|No data yet/);
  }
  await expect(page.getByRole("region", { name: "Recent errors" })).toBeVisible();
});

test("[MON-006] [MON-007] [LIM-007] colours follow the thresholds, and the chart has a table", async ({
  page,
}) => {
  const answer = {
    uptime: 99.31,
    totalValidations: 19_605,
    successRate: 97.99,
    avgResponseTime: 499.9,
    errorRate: 2.01,
    dailyVolume: 1_234,
    recentErrors: [],
    performanceData: [
      {
        time: "2026-11-20T09:45:00Z",
        avg_response: 120,
        requests: 40,
        errors: 0,
      },
      {
        time: "2026-11-20T10:00:00Z",
        avg_response: 90,
        requests: 1_200,
        errors: 3,
      },
    ],
    services: Object.fromEntries(
      ["validation", "database", "payment"].map((part) => [
        part,
        {
          status: part === "payment" ? "not_configured" : "operational",
          response_ms: null,
          checked_at: null,
        },
      ]),
    ),
  };
  await page.route("**/api/admin/api-health", (route) => route.fulfill({ json: answer }));
  await open(page, "api-monitor");
  await expect(figure(page, "Success rate")).toHaveClass(/tone-risky/);
  await expect(figure(page, "Average response time")).toHaveClass(/tone-valid/);
  await expect(figure(page, "Daily volume")).toContainText("1,234");
  await expect(page.getByText("All systems operational")).toBeVisible();
  await expect(page.getByRole("region", { name: "Payment provider" })).toContainText("Not configured");
  await expect(page.getByRole("group", { name: /Average response, requests and errors/ })).toBeVisible();
  await page.getByText("Show data table").click();
  await expect(page.getByRole("row").filter({ hasText: "1,200" })).toContainText("90");

  answer.successRate = 98;
  answer.avgResponseTime = 500;
  answer.performanceData = [];
  await page.reload();
  await expect(figure(page, "Success rate")).toHaveClass(/tone-valid/);
  await expect(figure(page, "Average response time")).toHaveClass(/tone-invalid/);
  await expect(page.getByText("No data yet")).toBeVisible();
  answer.successRate = 94.99;
  await page.reload();
  await expect(figure(page, "Success rate")).toHaveClass(/tone-invalid/);
});

test.describe("when loads fail", () => {
  test.use({ refusalsExpected: true });

  test("[MON-009] nothing is made up, and nothing is green", async ({ page }) => {
    let broken = true;
    await page.route("**/api/admin/api-health", (route) =>
      broken ? route.fulfill({ status: 418, json: { detail: "", code: "X" } }) : route.continue(),
    );
    await open(page, "api-monitor");
    await expect(page.getByRole("alert")).toContainText("Failed to load API health");
    for (const name of ["Uptime", "Success rate", "Average response time", "Daily volume"]) {
      await expect(figure(page, name).locator(".measure-value")).toHaveText("n/a");
    }
    await expect(page.locator(".tone-valid")).toHaveCount(0);
    broken = false;
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(figure(page, "Daily volume").locator(".measure-value")).not.toHaveText("n/a");
  });

  test("[ADM-017] [MON-034] [MON-037] a failed refresh keeps the last real values and says of when they are", async ({
    page,
  }) => {
    await open(page, "monitoring");
    const total = figure(page, "Total requests").locator(".measure-value");
    await expect(total).toHaveText(/^[\d,]+$/);
    await page.waitForLoadState("networkidle"); // no answer is on its way that could change the values
    const kept = await total.innerText();
    await page.route("**/api/monitoring/*", (route) => route.fulfill({ status: 418, json: {} }));
    await page.getByRole("button", { name: "Refresh All Data" }).click();
    const card = page.getByRole("region", { name: "Application performance" });
    await expect(card.getByRole("alert")).toContainText(
      "Failed to load health. These values are from just now.",
    );
    await expect(total).toHaveText(kept);
    await expect(card.locator(".measure.tone-valid")).toHaveCount(0);
    await page.unroute("**/api/monitoring/*");
    await card.getByRole("button", { name: "Retry" }).click();
    await expect(card.getByRole("alert")).toHaveCount(0);
  });
});

test("[MON-022] [MON-023] [MON-026] monitoring shows machine, requests and queues", async ({ page }) => {
  await open(page, "monitoring");
  const system = page.getByRole("region", { name: "System", exact: true });
  for (const name of ["Memory", "CPU", "Disk"]) {
    await expect(system.getByRole("progressbar", { name })).toBeVisible();
  }
  await expect(system).toContainText("Uptime");
  for (const name of ["Total requests", "Error rate", "Average response", "Active requests"]) {
    await expect(figure(page, name).locator(".measure-value")).toHaveText(/\d/);
  }
  const information = page.getByRole("region", { name: "System information" });
  await expect(information).toContainText(/3\.\d+\.\d+/);
  await expect(information).toContainText("GB");
  await expect(page.locator(".monitor-head").getByText(/^(Healthy|Warning|Error)$/)).toBeVisible();
  for (const queue of ["Short tasks", "Mails", "Lists", "Webhooks"]) {
    await expect(figure(page, `${queue} waiting`)).toBeVisible();
  }
  await expect(page.getByRole("region", { name: "System alerts" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Mail routes" })).toBeVisible();

  const raw = page.getByRole("link", { name: "View Raw Health API" });
  const [health] = await Promise.all([page.context().waitForEvent("page"), raw.click()]);
  await expect(health).toHaveURL(/\/api\/monitoring\/health$/);
  await expect(health.locator("body")).toContainText("memory_percent");
  await health.close();

  const reloads = ["health", "alerts", "metrics"].map((name) =>
    page.waitForResponse((response) => response.url().endsWith(`/api/monitoring/${name}`)),
  );
  await page.getByRole("button", { name: "Refresh All Data" }).click();
  await Promise.all(reloads);

  await page.getByRole("button", { name: "Trigger Manual Backup" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
});

test("[MON-002] [MON-027] [LIM-006] the refresh interval is 30s by default and kept in the browser", async ({
  page,
}) => {
  await page.clock.install();
  await open(page, "monitoring");
  const choice = page.getByLabel("Refresh every");
  await expect(choice).toHaveValue("30");
  await expect(choice.getByRole("option")).toHaveText(["10s", "30s", "1m", "5m"]);
  await expect(page.getByRole("region", { name: "System", exact: true })).toContainText("available");
  let loads = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/monitoring/health")) loads += 1;
  });
  await page.clock.runFor(29_000);
  expect(loads).toBe(0);
  await page.clock.runFor(2_000);
  await expect.poll(() => loads).toBe(1);
  await choice.selectOption({ label: "10s" });
  await page.clock.runFor(10_500);
  await expect.poll(() => loads).toBe(2);
  await page.goto("/admin?tab=api-monitor");
  await expect(page.getByLabel("Refresh every")).toHaveValue("10");
});

test("[PUB-053] [PUB-056] [MON-024] staff announce maintenance, and end an incident, on the status page at once", async ({
  page,
}) => {
  const title = `Move to another rack ${Date.now()}`;
  await open(page, "monitoring");
  await page.getByRole("button", { name: "New entry" }).click();
  const dialog = page.getByRole("dialog", { name: "New entry" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Give it a title.");
  await expect(dialog).toContainText("Choose at least one service.");
  await dialog.getByLabel("Title").fill(title);
  await dialog.getByLabel("Dashboard").check();
  await dialog.getByLabel(/^Start/).fill("2026-01-05T10:00");
  await dialog.getByLabel(/^Note/).fill("Pages were slow.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. It is on the status page now.").first()).toBeVisible();

  const history = async () => {
    const told = (await (await page.request.get("/api/status/history")).json()) as {
      incidents: { title: string; ended_at: string | null; note: string }[];
    };
    return told.incidents.find((incident) => incident.title === title);
  };
  expect(await history()).toMatchObject({
    ended_at: null,
    note: "Pages were slow.",
  });
  const entry = page.getByRole("listitem", { name: title });
  await expect(entry).toContainText("Dashboard");
  await entry.getByRole("button", { name: /^End/ }).click();
  await expect(entry.getByRole("button", { name: /^End/ })).toHaveCount(0);
  expect((await history())?.ended_at).not.toBeNull();
  await entry.getByRole("button", { name: /^Edit/ }).click();
  const edit = page.getByRole("dialog");
  await expect(edit.getByLabel("Title")).toHaveValue(title);
  await edit.getByLabel(/^Note/).fill("Over.");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(entry).toContainText("Over.");
});
