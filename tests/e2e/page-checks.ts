// What every page must be, on a desktop in the light, on a phone in the dark, and on the narrowest phone with colours
// that the system forces: readable, with nothing out of reach.
import { expect, type Page } from "@playwright/test";

import { findAccessibilityIssues } from "./axe";

const VIEWPORTS = [
  { colorScheme: "light", forcedColors: "none", width: 1280 },
  { colorScheme: "dark", forcedColors: "none", width: 390 },
  // 1,280 CSS pixels at 400 % (WCAG 2.2, 1.4.10).
  { colorScheme: "light", forcedColors: "active", width: 320 },
] as const;
const HEIGHT = 844;

/** Colours that change go from element to element, one frame after the other: until none does any more. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    do {
      await frame();
      await frame();
    } while (document.getAnimations().some(({ playState }) => playState === "running"));
  });
}

/** No accessibility finding on the page as it is, or in these parts of it. */
export async function expectAccessible(page: Page, ...parts: readonly string[]): Promise<void> {
  expect(await findAccessibilityIssues(page, ...parts), page.url()).toEqual([]);
}

/** The fields of these parts that reach beyond the right edge of their part. */
function findCutFields(page: Page, parts: readonly string[]): Promise<string[]> {
  return page.evaluate((selectors) => {
    const right = (element: Element) => element.getBoundingClientRect().right;
    const boxes = selectors.flatMap((selector) => [...document.querySelectorAll(selector)]);
    return boxes.flatMap((box) =>
      [...box.querySelectorAll("input, select, textarea")]
        .filter((field) => right(field) > right(box))
        .map((field) => field.outerHTML.slice(0, 200)),
    );
  }, parts);
}

/**
 * The page as it is, on each of these screens: no accessibility finding (in these parts of it), no sideways scroll, no
 * field that is wider than its part.
 */
export async function expectReadable(page: Page, ...parts: readonly string[]): Promise<void> {
  await expect(page.locator(".skeleton, .page-loading")).toHaveCount(0);
  const before = page.viewportSize();
  for (const { colorScheme, forcedColors, width } of VIEWPORTS) {
    await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: HEIGHT });
    await waitForAnimations(page);
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(sideways, page.url()).toBeLessThanOrEqual(0);
    expect(await findCutFields(page, parts), page.url()).toEqual([]);
    await expectAccessible(page, ...parts);
  }
  await page.emulateMedia({ forcedColors: "none" });
  if (before) await page.setViewportSize(before);
}

/** As `expectReadable`, at a page whose one main heading says what it is. */
export async function expectReadablePage(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expectReadable(page);
}
