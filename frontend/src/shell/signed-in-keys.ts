import { navigation } from "../lib/session";
import { createKeyReader, PLACES } from "./key-reader";
import { isSingleKey } from "./keys";
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

/** The keys of the pages behind the sign-in; `openKeyList` shows them. */
export function installSignedInKeys(openKeyList: () => void): void {
  const goTo = ([key, address]: [string, string]) => [`g ${key}`, () => navigation.go(address)] as const;
  const commands = new Map<string, () => void>([
    ...Object.entries(PLACES).map(goTo),
    ["n", startNewCheck],
    ["e", () => findOffered("e")?.click()],
    ["t", toggleTheme],
    ["?", openKeyList],
  ]);
  const readKey = createKeyReader();
  document.addEventListener("keydown", (event) => {
    const command = isSingleKey(event) ? readKey(event.key, event.timeStamp) : null;
    const run = commands.get(command ?? "");
    if (!run) return;
    event.preventDefault(); // or the letter would be typed into the field that gets the focus
    run();
  });
}
