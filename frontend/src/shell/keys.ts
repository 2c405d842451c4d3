import { createKeyReader } from "./key-reader";
import { areSingleKeysOn } from "./single-keys";

const WRITES = "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]";
/** What lies over the page: keys are meant for it. */
const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open], :popover-open';

/** True where a single key is text, or is meant for what lies over the page. */
function isTaken(target: EventTarget | null): boolean {
  return (target instanceof Element && target.closest(WRITES) !== null) || document.querySelector(OVER) !== null;
}

function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>("[data-search]");
  search?.focus();
  search?.select();
}

function isPaletteKey({ ctrlKey, metaKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && key.toLowerCase() === "k";
}

function isPlainKey({ ctrlKey, metaKey, altKey, repeat, target }: KeyboardEvent): boolean {
  return !(ctrlKey || metaKey || altKey || repeat || isTaken(target));
}

/**
 * Ctrl or Cmd and K opens the palette. Single keys, which can be turned off: `/` goes to the search field, `?` lists the
 * keys, others are those of `key-commands`, on pages behind the sign-in.
 */
export function installKeys(open: (island: string, props: Record<string, string>) => void): void {
  const readKey = createKeyReader();
  const run = (command: string) => {
    if (command === "?") open("palette", { mode: "keys" });
    else if (command === "/") focusSearch();
    else void import("./key-commands").then(({ runKeyCommand }) => runKeyCommand(command));
  };
  document.addEventListener("keydown", (event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      open("palette", { mode: "commands" });
      return;
    }
    if (event.defaultPrevented || !isPlainKey(event) || !areSingleKeysOn()) return;
    const command = readKey(event.key, event.timeStamp);
    const isKnown = command === "/" || document.querySelector("[data-shell]") !== null;
    if (command === null || !isKnown) return;
    event.preventDefault(); // or the letter would be typed into the field that gets the focus
    run(command);
  });
}
