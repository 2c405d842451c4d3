// What every page must be, on a desktop in the light and on a phone in the dark: readable, with nothing out of reach.
import { expect, type Page } from "@playwright/test";

import { findings } from "./axe";

const SIGHTS = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const;
const HEIGHT = 844;

/** Colours that change go from element to element, one frame after the other: until none does any more. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    do {
      await frame();
      await frame();
    } while (document.getAnimations().some(({ playState }) => playState === "running"));
  });
}

/** No accessibility finding on the page as it is, or in these parts of it. */
export async function see(page: Page, ...parts: readonly string[]): Promise<void> {
  expect(await findings(page, ...parts), page.url()).toEqual([]);
}

/** The page as it is, on both screens: no accessibility finding (in these parts of it), no sideways scroll. */
export async function look(page: Page, ...parts: readonly string[]): Promise<void> {
  await expect(page.locator(".skeleton, .page-loading")).toHaveCount(0);
  const before = page.viewportSize();
  for (const { colorScheme, width } of SIGHTS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: HEIGHT });
    await settle(page);
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(sideways, page.url()).toBeLessThanOrEqual(0);
    await see(page, ...parts);
  }
  if (before) await page.setViewportSize(before);
}

/** As `look`, at a page whose one main heading says what it is. */
export async function lookAtPage(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await look(page);
}
