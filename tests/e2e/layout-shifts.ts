// Whether pages jump while they load (https://web.dev/articles/cls).
import { expect, type Page } from "@playwright/test";

/** What a page may jump while it loads (cumulative layout shift): lists and figures of any length more than the rest. */
function budgetOf(page: string): number {
  return /\/(admin|dashboard)\b/.test(page) ? 0.05 : 0.02;
}

interface Moved {
  /** The document: its address and when it was asked for. */
  page: string;
  /** Share of the window that moved, times how far. */
  value: number;
  /** What moved, from where to where. */
  parts: string[];
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: readonly { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

declare global {
  interface Window {
    /** Told of each shift; kept in the test. */
    told: (moved: Moved) => Promise<void>;
    /** Ends the watch over this document; what has not been told yet is told first. */
    arrived?: () => Promise<void>;
  }
}

/** Runs in the page before anything else: tells of what moves until the page is used, or has arrived. */
function watch(): void {
  // Back from PayPal, what was paid changes the page after it has come.
  if (new URLSearchParams(location.search).has("payment")) return;
  const nameOf = (node?: Node): string => {
    const element = node instanceof Element ? node : node?.parentElement;
    if (!element) return "what is gone";
    const text = element.textContent.replace(/\s+/g, " ").trim();
    return `<${element.tagName.toLowerCase()} class="${element.className}"> ${text.slice(0, 40)}`;
  };
  const placeOf = ({ x, y, width, height }: DOMRectReadOnly): string =>
    `${Math.round(x)},${Math.round(y)} ${Math.round(width)}×${Math.round(height)}`;
  const page = `${location.href} (${performance.timeOrigin})`;
  const telling: Promise<void>[] = [];
  const tell = (entries: PerformanceEntryList): void => {
    for (const { value, sources } of entries as LayoutShift[]) {
      const parts = sources.map(
        ({ node, previousRect, currentRect }) =>
          `${nameOf(node)}: ${placeOf(previousRect)} → ${placeOf(currentRect)}`,
      );
      telling.push(window.told({ page, value, parts }));
    }
  };
  const observer = new PerformanceObserver((list) => tell(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  const end = (): void => {
    tell(observer.takeRecords());
    observer.disconnect();
  };
  // What is moved by whoever uses the page is no fault of its loading.
  for (const use of ["pointerdown", "keydown", "input"])
    addEventListener(use, end, { capture: true, once: true });
  window.arrived = async () => {
    // Shifts are known with the frame that shows them.
    await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)));
    end();
    await Promise.all(telling);
  };
}

/** Every shift of the pages of a window, as they load. */
export type Shifts = Moved[];

/** Watches every page that is opened in this window from now on. */
export async function watchShifts(page: Page, shifts: Shifts): Promise<void> {
  await page.exposeFunction("told", (moved: Moved) => void shifts.push(moved));
  await page.addInitScript(watch);
}

/** The page has loaded: what moves from now on is not counted. */
export async function markLoaded(page: Page): Promise<void> {
  await page.evaluate(() => window.arrived?.());
}

/** No page jumped past the budget; else each that did, with what moved. */
export function expectNoJump(shifts: Shifts): void {
  const pages = [...new Set(shifts.map(({ page }) => page))];
  const jumps = pages.map((page) => {
    const moved = shifts.filter((one) => one.page === page);
    const parts = moved.flatMap(({ parts }) => parts);
    return { page, sum: moved.reduce((sum, { value }) => sum + value, 0), parts };
  });
  expect(jumps.filter(({ page, sum }) => sum > budgetOf(page))).toEqual([]);
}
