// Every tab of the staff area: with data, with nothing, and while its calls fail.
import { expect, type Page } from "@playwright/test";

import { signInByCall, test } from "./cast";
import { expectReadablePage } from "./page-checks";
import { startEmptyProduct, signInAt, type Product } from "./product";

const SAM = "sam@emailcheck.app";

/** Each tab: its key, what it shows with the data of the sandbox, and what it says of a product that nobody has used. */
const TABS = [
  ["overview", "Advanced Analytics", "Nothing was validated in this range"],
  ["users", "User Management", "Sam"],
  ["quotes", "Recent Quotes", "No quotes generated yet"],
  ["credits", "Bulk Credit Management", "Bulk Credit Management"],
  ["revenue", "Recent Transactions", "No payments yet"],
  ["api-monitor", "API Monitor", "All systems operational"],
  ["plans", "Plan requests", "No custom plans yet"],
  ["crm", "Deal Pipeline", "No deals yet"],
  ["system", "System logs", "No backups yet"],
  ["monitoring", "System information", "Nothing is stuck"],
  ["api-credits", "API Credits", "not configured"],
] as const;

/** What the working day in journeys/staff.spec.ts looks at, with more on it. */
const WALKED = new Set<string>(["quotes", "plans", "monitoring", "system"]);

/** Opens a tab by its address, or by its name when another is open. */
async function open(page: Page, tab: string, base = ""): Promise<void> {
  const name = page.locator(`[role=tab][href="?tab=${tab}"]`);
  if (page.url().includes("/admin?")) await name.click();
  else await page.goto(`${base}/admin?tab=${tab}`);
  await expect(name).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tab")).toHaveCount(11);
  await expect(page.locator(".skeleton")).toHaveCount(0);
}

test("[ADM-012] every tab shows what it is for, and reads well", async ({ page }) => {
  test.slow();
  await signInByCall(page, SAM);
  for (const [tab, shown] of TABS) {
    await open(page, tab);
    await expect(page.getByRole("tabpanel").getByText(shown).first()).toBeVisible();
    await expect(page.getByRole("tabpanel").getByRole("alert")).toHaveCount(0);
    if (!WALKED.has(tab)) await expectReadablePage(page);
  }
});

async function openChecked(page: Page): Promise<void> {
  await signInByCall(page, SAM);
  const token = await page.evaluate(() => localStorage.getItem("token"));
  await page.request.post("/api/validate/single", {
    headers: { Authorization: `Bearer ${token ?? ""}` },
    data: { email: "ida.holm@harborquill.com" },
  });
  await open(page, "overview");
}

test("[LIM-001] [ADM-115] [ADM-116] trends are areas, categories are sectors", async ({ page }) => {
  await openChecked(page);
  const ranges = page.getByRole("group", { name: "Range" }).getByRole("button");
  await expect(ranges).toHaveText(["7 Days", "30 Days", "90 Days", "1 Year"]);
  await expect(page.locator(".recharts-area-area")).toHaveCount(6);
  await page.getByRole("button", { name: "Category Breakdown" }).click();
  const parts = page.getByRole("region", { name: "Category Breakdown" });
  await expect(parts.locator(".recharts-pie-sector").first()).toBeVisible();
  const shares = await parts.locator("dl dd").allInnerTexts();
  expect(await parts.locator(".recharts-pie-sector").count()).toBe(shares.length);
  expect(shares).not.toContain("0%");
});

test("[ADM-117] [ADM-118] months are bars, performance is a line", async ({ page }) => {
  await openChecked(page);
  await page.getByRole("button", { name: "Monthly Stats" }).click();
  await expect(page.locator(".recharts-bar")).toHaveCount(6);
  await page.getByRole("button", { name: "Performance" }).click();
  await expect(page.locator(".recharts-line:not(.ghost)")).toHaveCount(1);
});

test.describe("while calls fail", () => {
  test.use({ failuresExpected: true });

  test("[ADM-015] [ADM-017] every tab says so, shows no figure and helps itself by Retry", async ({
    page,
  }) => {
    test.slow();
    await signInByCall(page, SAM);
    const failing = /\/api\/(admin|monitoring|analytics\/advanced|crm)/;
    for (const [tab, shown] of TABS) {
      await page.route(failing, (route) =>
        route.fulfill({
          status: 500,
          json: { detail: "Something broke on our side.", code: "INTERNAL" },
        }),
      );
      await open(page, tab);
      const panel = page.getByRole("tabpanel");
      if (tab !== "credits") await expect(panel.getByRole("button", { name: "Retry" }).first()).toBeVisible();
      for (const value of await panel.locator(".stat-card dd").allInnerTexts())
        expect(value, tab).not.toMatch(/[1-9]/);
      await page.unroute(failing);
      if (tab === "credits") continue; // loads nothing: its form says what fails
      while ((await panel.getByRole("button", { name: "Retry" }).count()) > 0) {
        const retry = panel.getByRole("button", { name: "Retry" });
        const before = await retry.count();
        await retry.first().click();
        await expect(async () => expect(await retry.count()).toBeLessThan(before)).toPass();
      }
      await expect(panel.getByText(shown).first()).toBeVisible();
    }
  });
});

test.describe("with nothing", () => {
  let product: Product;

  test.beforeAll(async () => {
    test.slow();
    product = await startEmptyProduct(SAM, "sandbox-2026");
  });

  test.afterAll(() => product.end());

  test("[ADM-012] every tab says what is missing and invents nothing", async ({ page }) => {
    test.slow();
    const { address } = product;
    await signInAt(page, address, SAM, "sandbox-2026");
    for (const [tab, , missing] of TABS) {
      await open(page, tab, address);
      await expect(page.getByRole("tabpanel").getByText(missing).first()).toBeVisible();
    }
    await open(page, "overview", address);
    for (const name of ["Total Revenue", "Total Validations"]) {
      const card = page.locator(".stat-card").filter({ has: page.getByText(name, { exact: true }) });
      await expect(card.locator("dd").first()).toHaveText(/^\$?0(\.00)?$/);
    }
  });
});
