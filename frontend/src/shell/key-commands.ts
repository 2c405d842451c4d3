import { navigation } from "../lib/session";
import { PLACES } from "./key-reader";
import { toggleTheme } from "./theme";

/** Pages come to life bit by bit: as long is waited for the field that a link leads to. */
const PATIENCE_MS = 10_000;
const NEW_CHECK = "#new-check";

/** What this page offers under a key: the first that can be seen. */
function findOffered(key: string): HTMLElement | undefined {
  const offers = document.querySelectorAll<HTMLElement>(`[data-key="${key}"]`);
  return [...offers].find((offer) => offer.checkVisibility());
}

function focusNewCheck(): boolean {
  const field = findOffered("n");
  field?.focus();
  return field !== undefined;
}

/** Goes to the field for a new check, on the page that has it. */
function startNewCheck(): void {
  if (!focusNewCheck()) navigation.go(`${PLACES.v ?? ""}${NEW_CHECK}`);
}

/** Whoever came for a new check is taken to its field as soon as it is there. */
export function awaitNewCheck(): void {
  if (location.hash !== NEW_CHECK) return;
  history.replaceState(null, "", location.pathname + location.search);
  if (focusNewCheck()) return;
  const watch = new MutationObserver(() => {
    if (focusNewCheck()) watch.disconnect();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), PATIENCE_MS);
}

const COMMANDS: Readonly<Record<string, () => void>> = {
  ...Object.fromEntries(
    Object.entries(PLACES).map(([key, address]) => [`g ${key}`, () => navigation.go(address)]),
  ),
  n: startNewCheck,
  e: () => findOffered("e")?.click(),
  t: toggleTheme,
};

export function runKeyCommand(command: string): void {
  COMMANDS[command]?.();
}
