// The keys that go through the rows of results while one of them is open.
import { useEffect, useEffectEvent } from "react";

import { areSingleKeysOn } from "../../../../lib/single-keys";

const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu]";

/** Pressed alone; a letter, where single letters are commands. */
function isBare({ defaultPrevented, ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  return !(defaultPrevented || ctrlKey || metaKey || altKey) && (key.length > 1 || areSingleKeysOn());
}

/** A key is not for the rows where something is typed, or while another dialog lies above them. */
function isForRows(event: KeyboardEvent): boolean {
  if (!isBare(event)) return false;
  if (event.target instanceof Element && event.target.closest(FIELDS)) return false;
  const above = [...document.querySelectorAll("[role=dialog], [role=alertdialog], dialog[open]")].at(-1);
  return above === undefined || above.querySelector("[data-steps]") !== null;
}

interface RowDeeds {
  /** Null where there is no row on that side. */
  back: (() => void) | null;
  on: (() => void) | null;
  close: () => void;
}

const DEEDS: Partial<Record<string, keyof RowDeeds>> = {
  ArrowDown: "on",
  j: "on",
  ArrowUp: "back",
  k: "back",
  Escape: "close",
};

/** Up and down, or k and j, go through the rows; Escape closes the open one. */
export function useRowKeys(active: boolean, deeds: RowDeeds): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const deed = DEEDS[event.key];
    if (!deed || !isForRows(event)) return;
    event.preventDefault();
    deeds[deed]?.();
  });
  useEffect(() => {
    if (!active) return;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [active]);
}
