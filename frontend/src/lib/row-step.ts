import { areSingleKeysOn } from "./single-keys";

const STEPS: Partial<Record<string, -1 | 1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
const MODIFIERS = ["altKey", "ctrlKey", "metaKey", "shiftKey"] as const;
const FIELDS =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="menu"], [role="tablist"]';

/** Whether a key is pressed alone, where nothing is typed or chosen by it; a letter only where letters are commands. */
export function isRowKey(event: KeyboardEvent): boolean {
  const { defaultPrevented, key, target } = event;
  if (defaultPrevented || MODIFIERS.some((modifier) => event[modifier])) return false;
  if (key.length === 1 && !areSingleKeysOn()) return false;
  return target instanceof Element && target.closest(FIELDS) === null;
}

/** The step among rows that a key asks for: on by j or down, back by k or up. */
export function readRowStep(event: KeyboardEvent): -1 | 1 | null {
  return isRowKey(event) ? (STEPS[event.key] ?? null) : null;
}

/** The dialogs that lie above the page, the uppermost last. */
export function listDialogs(): Element[] {
  return [...document.querySelectorAll("[role=dialog], [role=alertdialog], dialog[open]")];
}
