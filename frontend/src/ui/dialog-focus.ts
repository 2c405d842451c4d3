import { useState } from "react";

/** What opened a dialog that has made way for another one: the focus goes there when that one is left. */
let passedOpener: HTMLElement | null = null;

/** What has the focus; of an entry of a menu, which goes with the menu, the button of the menu. */
function findFocused(): HTMLElement | null {
  const { activeElement } = document;
  const trigger = activeElement?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  const opener = trigger ? document.getElementById(trigger) : activeElement;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/** The focus back to what opened the dialog, unless it has gone elsewhere by itself. */
function restoreFocus(opener: HTMLElement | null): void {
  const there = opener?.isConnected ? opener : null;
  const elsewhere = findFocused();
  if (elsewhere === null) {
    (there ?? passedOpener)?.focus();
    passedOpener = null;
  } else if (there && elsewhere.closest('[role="dialog"]')) passedOpener = there;
}

/**
 * For `onCloseAutoFocus` of a dialog without a trigger of its own, which would leave the focus nowhere.
 * @param find what gets the focus in place of what opened the dialog, if it is there.
 */
export function useOpener(find?: () => HTMLElement | null): (event: Event) => void {
  const [opener] = useState(findFocused);
  return (event) => {
    event.preventDefault();
    restoreFocus(find?.() ?? opener);
  };
}
