// Photographs every screen of the table, in both themes and at all widths: `make screens`.
import { expect, test as base, type Page } from "@playwright/test";

import { startEmptyProduct, signInAt, type Product } from "../product";
import { CUSTOMER, NOBODY, SAM, SECRET } from "./cast";
import { fileOf, FOLDER, LOOKS, type Look, type State } from "./frames";
import { SCREENS, type Screen } from "./table";

const test = base.extend<object, { administrator: string; untouched: Product }>({
  administrator: [SAM, { option: true, scope: "worker" }],
  untouched: [
    async ({ administrator }, run) => {
      const product = await startEmptyProduct(administrator, SECRET.staff);
      await run(product);
      await product.end();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

/** Everything that a page asks for fails, but who is signed in. */
const CALLS = /\/api\/(?!auth\/)/;

async function letFail(page: Page): Promise<void> {
  const json = {
    detail: "Something broke on our side. Please try again.",
    code: "INTERNAL",
    request_id: "req_0f3a",
  };
  await page.route(CALLS, (route) => route.fulfill({ status: 500, json }));
}

async function enter(page: Page, screen: Screen, state: State): Promise<void> {
  if (screen.who === "staff") await signInAt(page, "", SAM, SECRET.staff);
  if (screen.who === "customer") {
    const email = state === "empty" ? NOBODY : CUSTOMER;
    await signInAt(page, "", email, SECRET.customer);
  }
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 10_000 }).catch(() => undefined);
  await expect(page.locator(".skeleton, .trace-drawing, .page-loading"))
    .toHaveCount(0, { timeout: 10_000 })
    .catch(() => undefined);
  // What is in the font of the product is asked for only when it is drawn.
  await page.evaluate(() =>
    document.fonts.load("16px Inter").then(() => document.fonts.ready.then(() => undefined)),
  );
}

/** In a window of another size a menu has closed, or stands where its button was. */
async function reopen(page: Page, { menu, open }: Screen): Promise<void> {
  if (!menu) return;
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await open?.(page);
  await expect(page.getByRole("menu")).toBeVisible();
}

const HEIGHTS: Record<Look["width"], number> = { 1280: 900, 768: 1024, 390: 844 };

async function photograph(page: Page, screen: Screen, state: State): Promise<void> {
  await settled(page);
  const dialogs = await page.locator("[role=dialog]:visible, dialog[open]").count();
  const fullPage = dialogs === 0 && !screen.menu; // which is taken in a window of another size
  for (const look of LOOKS) {
    await page.setViewportSize({ width: look.width, height: HEIGHTS[look.width] });
    await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), look.theme);
    if (fullPage) await page.evaluate(() => window.scrollTo(0, 0)); // or what sticks is in the middle
    await page.waitForTimeout(300); // charts draw themselves anew
    await reopen(page, screen);
    const path = `${FOLDER}/${fileOf(screen.name, state, look)}`;
    await page.screenshot({ path, fullPage, animations: "disabled" });
  }
}

/** The tour was seen, and visitors have chosen about cookies. */
async function prepare(page: Page, screen: Screen): Promise<void> {
  await page.addInitScript((stranger) => {
    localStorage.setItem("onboarding_completed", "true");
    if (!stranger) localStorage.setItem("cookie_consent", "declined");
  }, screen.who === "stranger");
}

const addressOf = async ({ path }: Screen, page: Page): Promise<string> =>
  typeof path === "string" ? path : path(page);

for (const screen of SCREENS) {
  for (const state of screen.states) {
    const title = `${screen.name}, ${state}`;
    if (state === "empty" && screen.who === "staff") {
      test(title, async ({ page, untouched }) => {
        await prepare(page, screen);
        await signInAt(page, untouched.address, SAM, SECRET.staff);
        await page.goto(`${untouched.address}${await addressOf(screen, page)}`);
        await photograph(page, screen, state);
      });
      continue;
    }
    test(title, async ({ page }) => {
      await prepare(page, screen);
      await enter(page, screen, state);
      const address = await addressOf(screen, page);
      if (state === "failing") await letFail(page);
      await page.goto(address);
      if (state === "full") await screen.open?.(page);
      await photograph(page, screen, state);
    });
  }
}
