// What every page must be, on a desktop in the light and on a phone in the dark: readable, with nothing out of reach.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const SIGHTS = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const;
const HEIGHT = 844;
// Findings alone; nor are stylesheets read anew, which only rules ask for that are off.
const SHORT = { resultTypes: ["violations" as const], preload: false };

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

/** Axe on the page as it is. Its half a megabyte is read once a page. */
export async function axeOn(page: Page): Promise<AxeBuilder> {
  const read = await page.evaluate(() => "axe" in window);
  // No page has frames of its own: without the blank page that axe opens to join the findings of frames.
  return new AxeBuilder(read ? { page, axeSource: "0" } : { page }).setLegacyMode().options(SHORT);
}

/** No accessibility finding on the page as it is, or in these parts of it. */
export async function see(page: Page, ...parts: readonly string[]): Promise<void> {
  const axe = await axeOn(page);
  const { violations } = await parts.reduce((builder, part) => builder.include(part), axe).analyze();
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ""}`).join("\n")}`,
  );
  expect(found, page.url()).toEqual([]);
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
