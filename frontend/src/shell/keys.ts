/** True where a single key is text, not a command. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>("[data-search]");
  if (!search) return;
  event.preventDefault();
  search.focus();
  search.select();
}

function isPaletteKey({ ctrlKey, metaKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && key.toLowerCase() === "k";
}

function isPlainKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !(ctrlKey || metaKey || altKey || isTyping(target));
}

/** `/` goes to the search field, `?` lists the keys, Ctrl or Cmd and K opens the palette. */
export function installKeys(open: (island: string, props: Record<string, string>) => void): void {
  document.addEventListener("keydown", (event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      open("palette", { mode: "commands" });
    } else if (isPlainKey(event)) {
      if (event.key === "/") focusSearch(event);
      if (event.key === "?") open("palette", { mode: "keys" });
    }
  });
}
