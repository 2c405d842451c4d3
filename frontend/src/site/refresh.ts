import { loadPage } from "./pages";

const SELECTOR = '[data-enhance="refresh"]';
const SECOND_MS = 1000;

function announceText(text: string): void {
  const line = document.querySelector("[data-refresh-says]");
  if (line && line.textContent !== text) line.textContent = text;
}

/** Takes over what another state of the page shows, but leaves open what somebody has opened. */
function replaceContent(root: HTMLElement, fresh: Element): void {
  const open = Array.from(root.querySelectorAll("details"), (part) => part.open);
  root.replaceChildren(...fresh.childNodes);
  root.querySelectorAll("details").forEach((part, at) => (part.open = open[at] ?? false));
}

async function refreshPage(root: HTMLElement): Promise<void> {
  const fresh = (await loadPage(location.href))?.querySelector(SELECTOR);
  const failed = document.querySelector<HTMLElement>("[data-refresh-failed]");
  if (failed) failed.hidden = Boolean(fresh);
  if (!fresh) return;
  const heading = () => root.querySelector("[data-refresh-heading]")?.textContent ?? "";
  const before = heading();
  replaceContent(root, fresh);
  if (heading() !== before) announceText(heading());
}

/** Loads the page anew every so often while it is looked at, and says aloud only a change of its heading. */
export function enhance(root: HTMLElement): void {
  const isBusy = () => document.hidden || root.contains(document.activeElement);
  const every = Number(root.dataset.seconds) * SECOND_MS;
  setInterval(() => {
    if (!isBusy()) void refreshPage(root);
  }, every);
}
