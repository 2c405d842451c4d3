import { storeLeftPlace, takeLeftScroll } from "../lib/left-place";
import { removeOthersUnsent } from "../lib/unsent/store";

/** So long the parts of a page may take to come. */
const ARRIVAL_MS = 5_000;
const HANDS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** Scrolls there again whenever the page has grown, until all of it may have come or the person moves it. */
function scrollBack(scroll: number): void {
  const restore = () => scrollTo({ top: scroll, behavior: "instant" });
  const growth = new ResizeObserver(restore);
  const stop = () => {
    growth.disconnect();
    for (const hand of HANDS) removeEventListener(hand, stop);
  };
  for (const hand of HANDS) addEventListener(hand, stop, { passive: true });
  setTimeout(stop, ARRIVAL_MS);
  growth.observe(document.body);
}

/**
 * Notes where the person is when the page is left, and goes on where their session ended in this tab. What others typed
 * in it is removed.
 */
export function installLeftPlace(): void {
  const { person } = document.documentElement.dataset;
  removeOthersUnsent();
  const scroll = takeLeftScroll();
  if (scroll) scrollBack(scroll);
  if (person !== undefined) addEventListener("pagehide", () => storeLeftPlace(person));
}
