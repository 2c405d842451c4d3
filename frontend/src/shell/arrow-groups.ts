const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

function listStops(group: Element): HTMLElement[] {
  const stops = group.querySelectorAll<HTMLElement>("a[href], button");
  return [...stops].filter((stop) => stop.checkVisibility());
}

/** The stop that an arrow, Home or End leads to. */
function findTarget(key: string, at: number, count: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = STEPS[key];
  return step === undefined ? null : (at + step + count) % count;
}

/** Tab goes to the current page, or to the first link, and from there on. */
function makeOneStop(group: Element): void {
  const stops = [...group.querySelectorAll<HTMLElement>("a[href]")];
  const entry = stops.find((stop) => stop.hasAttribute("aria-current")) ?? stops[0];
  for (const stop of stops) stop.tabIndex = stop === entry ? 0 : -1;
}

function walkGroup(group: Element, from: HTMLElement, event: KeyboardEvent): void {
  const stops = listStops(group);
  const next = findTarget(event.key, stops.indexOf(from), stops.length);
  const to = next === null ? undefined : stops[next];
  if (!to) return;
  event.preventDefault();
  [to.tabIndex, from.tabIndex] = [from.tabIndex, to.tabIndex];
  to.focus();
}

/**
 * Arrows walk within an element with `data-arrows`, so that Tab need not stop at everything in it: `one-stop` says that
 * it is to stop there once. Others say themselves, by a `tabindex` of -1, what Tab leaves out.
 */
export function installArrowGroups(): void {
  for (const group of document.querySelectorAll('[data-arrows="one-stop"]')) makeOneStop(group);
  document.addEventListener("keydown", (event) => {
    const { target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return;
    const group = target.closest("[data-arrows]");
    if (group) walkGroup(group, target, event);
  });
}
