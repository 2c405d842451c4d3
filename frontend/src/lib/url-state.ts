import { useCallback, useSyncExternalStore } from "react";

import { showAddress, watchAddress } from "./address-bar";

/** New values by name; null takes a name away. */
export type Change = Readonly<Record<string, string | null>>;

/** The address of this page with another query. */
export function buildAddress(change: Change): string {
  const next = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  const query = next.toString();
  return query ? `${location.pathname}?${query}` : location.pathname;
}

/**
 * The query string as state: it survives reload and the back button.
 * Typing replaces the entry of the history, everything else adds one.
 */
export function useUrlState(): [URLSearchParams, (change: Change, how?: "push" | "replace") => void] {
  const search = useSyncExternalStore(watchAddress, () => location.search);
  const update = useCallback((change: Change, how: "push" | "replace" = "push") => {
    showAddress(buildAddress(change), how);
  }, []);
  return [new URLSearchParams(search), update];
}
