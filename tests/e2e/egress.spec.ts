// Staff look at our egress addresses and at each operator, and take an address away.
import { expect, type Page } from "@playwright/test";

import { signInByCall, test } from "./cast";

const FIRST = {
  id: 1,
  name: "source address 203.0.113.7",
  address: "203.0.113.7",
  helo: "out7.example.com",
  state: "active",
  configured: true,
  last: false,
  probes_minute: 6_140,
  added_at: "2026-11-01T09:00:00Z",
  warms_since: null as string | null,
  note: null as string | null,
  changed_at: null as string | null,
};
const SECOND = {
  ...FIRST,
  id: 2,
  name: "proxy 2",
  address: "socks5:out@proxy.example.com:1080",
  helo: "out8.example.com",
  probes_minute: 120,
  warms_since: "2026-11-22T09:00:00Z",
};
const GOOGLE = {
  route: FIRST.name,
  operator: "google",
  operator_name: "Google",
  egress_id: 1,
  state: "working",
  probes_minute: 6_000,
  rate_limit: 6_000,
  sessions_limit: 6,
  warm_up: null as { day: number; days: number; share: number } | null,
  probes_hour: 201_344,
  refusals_hour: 0,
  probes_day: 1_201_344,
  refusals_day: 2,
  last_refusal: null as string | null,
  refused_at: null as string | null,
  next_attempt_at: null as string | null,
};
const YAHOO = {
  ...GOOGLE,
  route: SECOND.name,
  operator: "yahoo",
  operator_name: "Yahoo",
  egress_id: 2,
  state: "backing_off",
  probes_minute: 120,
  rate_limit: 240,
  sessions_limit: 1,
  warm_up: { day: 2, days: 4, share: 0.2 },
  refusals_hour: 3,
  last_refusal: "421 4.7.0 [TSS04] Messages from 203.0.113.8 temporarily deferred due to unexpected volume",
  refused_at: "2026-11-23T09:00:00Z",
  next_attempt_at: "2026-11-23T09:30:00Z",
};

/** Two addresses of which one warms up; what is asked of them is answered as the server would. */
async function prepare(page: Page): Promise<string[]> {
  const asked: string[] = [];
  const egress = [{ ...FIRST }, { ...SECOND }];
  await page.route("**/api/monitoring/routes", (route) =>
    route.fulfill({ json: { routes: [YAHOO, GOOGLE], egress } }),
  );
  await page.route("**/api/monitoring/egress/**", (route) => {
    asked.push(`${new URL(route.request().url()).pathname} ${route.request().postData()}`);
    const isLast = route.request().url().endsWith("/1/remove");
    if (isLast) {
      const detail = "This is the last egress address that works: without it every list would stand still.";
      return route.fulfill({
        status: 409,
        json: { detail, code: "EGRESS_LAST", request_id: "r-1" },
      });
    }
    egress[1] = {
      ...SECOND,
      state: "resting",
      note: "Told off by Yahoo",
      changed_at: new Date().toISOString(),
    };
    return route.fulfill({ json: { egress: egress[1] } });
  });
  return asked;
}

test("[SCA-012] staff see the egress addresses of this installation as they are", async ({ page }) => {
  await signInByCall(page, "sam@emailcheck.app");
  await page.goto("/admin?tab=monitoring");
  const addresses = page.getByRole("table", { name: "Egress addresses" });
  await expect(addresses.getByRole("row").nth(1)).toContainText(/HELO \S+\.emailcheck\.app/);
  await expect(addresses.getByRole("row").nth(1)).toContainText("Active");
});

test.describe("with two addresses", () => {
  test.use({ refusalsExpected: true });

  for (const width of [1280, 390]) {
    test(`[SCA-012] [SCA-013] staff see use and rest of each pair, and rest an address, at ${width} px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      const asked = await prepare(page);
      await signInByCall(page, "sam@emailcheck.app");
      await page.goto("/admin?tab=monitoring");
      const yahoo = page.getByRole("row", { name: "Yahoo by proxy 2" });
      await expect(yahoo).toContainText("120 of 240");
      await expect(yahoo).toContainText("Warm-up: day 2 of 4, 20%");
      await expect(yahoo).toContainText("Rests until");
      await expect(yahoo.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");

      const second = page.getByRole("row", { name: "proxy 2", exact: true });
      await second.getByRole("button", { name: "Rest proxy 2" }).click();
      const dialog = page.getByRole("dialog", { name: "Rest proxy 2?" });
      await dialog.getByRole("button", { name: "Rest" }).click();
      await expect(dialog).toContainText("Say why.");
      await dialog.getByLabel("Reason").fill("Told off by Yahoo");
      await dialog.getByRole("button", { name: "Rest" }).click();
      await expect(second).toContainText("Resting");
      await expect(second).toContainText("Told off by Yahoo");
      await expect(second.getByRole("button", { name: "Resume proxy 2" })).toBeVisible();

      await page.getByRole("button", { name: `Remove ${FIRST.name}` }).click();
      const removal = page.getByRole("dialog", {
        name: `Remove ${FIRST.name}?`,
      });
      await removal.getByLabel("Reason").fill("Moves house");
      await removal.getByRole("button", { name: "Remove" }).click();
      await expect(removal.getByRole("alert")).toContainText("every list would stand still");
      await removal.getByRole("button", { name: "Cancel" }).click();
      expect(asked).toEqual([
        '/api/monitoring/egress/2/rest {"reason":"Told off by Yahoo"}',
        '/api/monitoring/egress/1/remove {"reason":"Moves house"}',
      ]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }
});
