// Every page as a desktop in the light and as a phone in the dark: no accessibility finding, no sideways scroll, one
// main heading. Those of the staff are in staff-walk.spec.ts and crm.spec.ts, the public ones in public-pages.spec.ts; what
// the journeys stand on is looked at there.
import { expect, type Page } from "@playwright/test";

import { BOB, signInByCall, signIn, test } from "./cast";
import { expectReadable, expectReadablePage } from "./page-checks";

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

declare global {
  interface Window {
    /** Sum of the layout shifts, and the time of the largest paint in ms. */
    vitals: { shift: number; paint: number };
  }
}

/** Runs in the page before anything else. */
function watchVitals(): void {
  window.vitals = { shift: 0, paint: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[]) {
      if (!entry.hadRecentInput) window.vitals.shift += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.vitals.paint = Math.round(startTime);
  }).observe({ type: "largest-contentful-paint", buffered: true });
}

async function addressesOf(page: Page): Promise<{ batch: string; result: string }> {
  return page.evaluate(async () => {
    const headers = {
      Authorization: `Bearer ${localStorage.getItem("token") ?? ""}`,
      "Content-Type": "application/json",
    };
    const post = async (path: string, body: object) => {
      const answer = await fetch(path, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as { id: number; batch_id: string };
    };
    const { id } = await post("/api/validate/single", {
      email: "anna.keller@gmail.com",
    });
    const emails = ["anna.keller@gmail.com", "gone@gmail.com", "maria.rossi@velvetcircuit.com"];
    const { batch_id } = await post("/api/validate/bulk", { emails });
    return {
      batch: `/dashboard/batch/${batch_id}`,
      result: `/dashboard/result/${id}`,
    };
  });
}

test("landing page and sign-in", async ({ page }) => {
  await page.goto("/");
  await expectReadablePage(page);
  await page.getByRole("button", { name: "Sign In" }).first().click();
  await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
  await expectReadable(page);
});

test("signed-in pages", async ({ page }) => {
  test.slow();
  await signIn(page);
  const { batch, result } = await addressesOf(page);
  await page.goto("/dashboard?tab=history");
  await expect(page.getByRole("heading", { name: "Overall categories" })).toBeVisible();
  await expectReadablePage(page);
  await page.getByRole("button", { name: "View details" }).first().click();
  await expect(
    page
      .getByRole("dialog")
      .getByRole("list", { name: "Conversation with the mail server" })
      .getByText(/^220/)
      .first(),
  ).toBeVisible();
  await expectReadable(page);
  await page.goto(batch);
  await expect(page.getByRole("table")).toBeVisible();
  await expectReadablePage(page);
  await page.goto(result);
  await expect(page.getByRole("heading", { name: "Evidence" })).toBeVisible();
  await expectReadablePage(page);
});

test("dialogs that let people in, and pages of mailed links", async ({ page }) => {
  for (const [address, title] of [
    ["/?forgot=true", "Forgot your password?"],
    ["/", "Partner Portal"],
  ] as const) {
    await page.goto(address);
    if (address === "/") await page.getByRole("button", { name: title }).click();
    await expect(page.getByRole("dialog", { name: title })).toBeVisible();
    await expectReadable(page);
  }
  for (const address of ["/verify-email", "/reset-password", "/admin"]) {
    await page.goto(address);
    await expectReadablePage(page);
  }
});

test("[SET-002] [SET-003] account settings", async ({ page }) => {
  test.slow();
  await signInByCall(page, BOB);
  await page.goto("/account-settings");
  await expect(page.getByRole("link", { name: "Return to Dashboard" })).toBeVisible();
  await expect(page.getByRole("tab")).toHaveText([
    "Profile Settings",
    "Manage Subscription",
    "Payment Methods",
    "Password Reset",
    "Help Center",
    "Privacy",
  ]);
  for (const name of ["Payment Methods", "Password Reset", "Help Center", "Privacy"]) {
    await page.getByRole("tab", { name }).click();
    await expect(page.getByRole("tabpanel", { name })).toBeVisible();
    await expectReadablePage(page);
  }
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByRole("dialog").getByText(/unspent credit/)).toBeVisible();
  await expectReadable(page);
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Profile Settings" }).click();
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  await expectReadable(page);
});

test("other tabs of the dashboard, and the tour", async ({ page }) => {
  test.slow();
  await signInByCall(page);
  await addressesOf(page);
  for (const tab of ["campaigns", "analytics"]) {
    await page.goto(`/dashboard?tab=${tab}`);
    await expectReadablePage(page);
  }
  await page.goto("/dashboard?tour=again");
  await expect(page.getByRole("dialog", { name: "Welcome" })).toBeVisible();
  await expectReadable(page);
});

test("pages of the sandbox", async ({ page }) => {
  await page.goto("/sandbox");
  await expectReadablePage(page);
  await page.goto("/sandbox/outbox");
  await expectReadablePage(page);
});

test("no page jumps while it is put together", async ({ page }) => {
  await page.addInitScript(watchVitals);
  await signInByCall(page);
  const { batch, result } = await addressesOf(page);
  const figures: Record<string, { shift: number; paint: number }> = {};
  for (const address of [
    "/",
    "/dashboard",
    "/dashboard?tab=history",
    "/dashboard?tab=analytics",
    batch,
    result,
  ]) {
    await page.goto(address, { waitUntil: "networkidle" });
    await expect(page.locator(".skeleton")).toHaveCount(0);
    figures[address] = await page.evaluate(() => window.vitals);
  }
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  expect(Object.entries(figures).filter(([, { shift }]) => shift > 0.02)).toEqual([]);
});

test("targets on a phone are large enough for a finger", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page);
  await page.getByRole("button", { name: /anna\.keller/ }).click();
  await expect(page.getByText(/^Technical details/)).toBeVisible();
  const low = await page.evaluate(() =>
    // A word that is explained stands in its text, where WCAG 2.2 (2.5.8) asks for no size.
    [
      ...document.querySelectorAll(
        "main :is(button:not(.term > *), input:not([type=file]), select, textarea, summary)",
      ),
    ]
      .filter((element) => element.getBoundingClientRect().height < 44)
      .map(({ outerHTML }) => outerHTML),
  );
  expect(low).toEqual([]);
});

test("the theme that was chosen is there before anything is painted", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const source = await (await page.request.get("/")).text();
  expect(source).toContain('<html lang="en" data-theme="dark">');
});

test("keys: / searches, ? lists the keys, Ctrl K opens the commands, Escape closes", async ({ page }) => {
  await signInByCall(page);
  await page.goto("/dashboard?tab=history");
  await expect(page.getByRole("searchbox")).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("searchbox")).toHaveValue("?");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page
    .getByRole("dialog", { name: "Search and commands" })
    .getByText("Validate", { exact: true })
    .click();
  await expect(page).toHaveURL(/tab=validate/);
});

test("[DASH-004] the drawer repeats the tabs on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "Menu" });
  await expect(drawer.getByRole("link")).toHaveText([
    /Alice Alder\s*Team/,
    "Validate",
    "History",
    "Campaigns",
    "Upgrade",
    "Analytics",
    "Refer Friends",
    "Custom packages",
    "Sandbox",
  ]);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
});
