// A walk through the product: on a desktop in the light and on a phone in the dark, with a look at every page on the
// way. No console error, no axe finding, no page that jumps while it loads.
import { expect, type Browser, type Page } from "@playwright/test";

import { faintText, findings } from "../axe";
import { listen, test } from "../cast";
import { arrive, expectNoJump, watchShifts, type Shifts } from "../shift";

const SIGHTS = [
  { colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

interface Walk {
  /** The window of who walks. */
  page: Page;
  /** The window of somebody else. */
  another: () => Promise<Page>;
  /** Whether this is the walk on the desktop, which also tries what no screen shows. */
  isDesktop: boolean;
}

/** What every page must be where somebody stands: loaded, readable in both themes, with nothing out of reach. */
export async function stand(page: Page): Promise<void> {
  await expect(page.locator(".skeleton, .page-loading")).toHaveCount(0);
  await arrive(page);
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(sideways, page.url()).toBeLessThanOrEqual(0);
  await expect.poll(() => findings(page), page.url()).toEqual([]);
  const dark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: dark ? "light" : "dark" });
  // Another theme changes colours and nothing else.
  await expect.poll(() => faintText(page), `${page.url()}, other theme`).toEqual([]);
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
}

async function open(browser: Browser, errors: string[], shifts: Shifts): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(() => localStorage.setItem("onboarding_completed", "true"));
  listen(page, errors);
  await watchShifts(page, shifts);
  return page;
}

/** The same walk on both screens. */
export function walk(title: string, run: (walk: Walk) => Promise<void>): void {
  for (const { colorScheme, viewport } of SIGHTS) {
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
