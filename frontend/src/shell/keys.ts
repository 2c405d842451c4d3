import { areSingleKeysOn } from "../lib/single-keys";

const WRITES = "input, textarea, select, [contenteditable]";
/** What lies over the page: keys are meant for it. */
const OVER = "[role$=dialog], [role=menu], dialog[open], :popover-open";

function isPaletteKey({ ctrlKey, metaKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && key.toLowerCase() === "k";
}

/** Whether a key is a command: not where it is text, nor where single keys are turned off. */
export function isSingleKey({ ctrlKey, metaKey, altKey, target, defaultPrevented }: KeyboardEvent): boolean {
  const isText = target instanceof Element && target.closest(WRITES) !== null;
  const isElsewhere = ctrlKey || metaKey || altKey || defaultPrevented || isText;
  return !isElsewhere && areSingleKeysOn() && document.querySelector(OVER) === null;
}

/** Ctrl or Cmd and K opens the palette, `/` goes to the search field; `signed-in-keys` has the others. */
export function installKeys(open: (island: string, props: Record<string, string>) => void): void {
  document.addEventListener("keydown", (event) => {
    const search = document.querySelector<HTMLInputElement>("[data-search]");
    if (isPaletteKey(event)) {
      event.preventDefault();
      open("palette", { mode: "commands" });
    } else if (event.key === "/" && search && isSingleKey(event)) {
      event.preventDefault();
      search.focus();
      search.select();
    }
  });
}
