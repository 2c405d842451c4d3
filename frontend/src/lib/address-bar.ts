// The address of this page where it changes without a load; no React here, the frame of every page uses it.
const CHANGED = "urlstate";

/** Tells of every change, by the page or by Back; returns what stops it. */
export function watchAddress(listener: () => void): () => void {
  addEventListener("popstate", listener);
  addEventListener(CHANGED, listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener(CHANGED, listener);
  };
}

/** Shows another address of this page: as an entry of its own in the history, or in place of the last one. */
export function showAddress(address: string, how: "push" | "replace"): void {
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  dispatchEvent(new Event(CHANGED));
}

/** A press for a new tab or window is the browser's. */
export function isPlainPress(
  press: Pick<MouseEvent, "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
): boolean {
  return !(press.ctrlKey || press.metaKey || press.shiftKey || press.altKey);
}
