// A walk through the product: on a desktop in the light and on a phone in the dark, with a look at every page on the
// way. No console error, no axe finding, no page that jumps while it loads.
import { expect, type Browser, type Page } from "@playwright/test";

import { findFaintText, findAccessibilityIssues } from "../axe";
import { collectErrors, test } from "../cast";
import { markLoaded, expectNoJump, watchShifts, type Shifts } from "../layout-shifts";

const VIEWPORTS = [
  { colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

interface Journey {
  /** The window of who walks. */
  page: Page;
  /** The window of somebody else. */
  another: () => Promise<Page>;
  /** Whether this is the walk on the desktop, which also tries what no screen shows. */
  isDesktop: boolean;
}

/** What every page must be where somebody stands: loaded, readable in both themes, with nothing out of reach. */
export async function checkPage(page: Page): Promise<void> {
  await expect(page.locator(".skeleton, .page-loading")).toHaveCount(0);
  await markLoaded(page);
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(sideways, page.url()).toBeLessThanOrEqual(0);
  await expect.poll(() => findAccessibilityIssues(page), page.url()).toEqual([]);
  const dark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: dark ? "light" : "dark" });
  // Another theme changes colours and nothing else.
  await expect.poll(() => findFaintText(page), `${page.url()}, other theme`).toEqual([]);
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
}

async function open(browser: Browser, errors: string[], shifts: Shifts): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(() => localStorage.setItem("onboarding_completed", "true"));
  collectErrors(page, errors);
  await watchShifts(page, shifts);
  return page;
}

/** The same walk on both screens. */
export function testJourney(title: string, run: (walk: Journey) => Promise<void>): void {
  for (const { colorScheme, viewport } of VIEWPORTS) {
    test.describe(`${colorScheme} at ${viewport.width} px`, () => {
      test.use({ colorScheme, viewport });

      test(title, async ({ page, browser }) => {
        test.slow();
        const errors: string[] = [];
        const shifts: Shifts = [];
        const others: Page[] = [];
        const another = async () => {
          const other = await open(browser, errors, shifts);
          others.push(other);
          return other;
        };
        await watchShifts(page, shifts);
        await run({ page, another, isDesktop: colorScheme === "light" });
        for (const other of others) await other.context().close();
        expect(errors).toEqual([]);
        expectNoJump(shifts);
      });
    });
  }
}
