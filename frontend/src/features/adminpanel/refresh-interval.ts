import { useSyncExternalStore } from "react";

export const INTERVALS = [
  ["10", "10s"],
  ["30", "30s"],
  ["60", "1m"],
  ["300", "5m"],
] as const;
const DEFAULT = "30";
const KEY = "staff_refresh_seconds";
const CHANGED = "staffrefresh";

function subscribe(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  return () => removeEventListener(CHANGED, listener);
}

function readStored(): string {
  const kept = localStorage.getItem(KEY);
  return INTERVALS.find(([seconds]) => seconds === kept)?.[0] ?? DEFAULT;
}

/** How often staff want figures loaded again, in seconds; kept in this browser, the same on all tabs. */
export function useRefreshSeconds(): [string, (seconds: string) => void] {
  const seconds = useSyncExternalStore(subscribe, readStored);
  const change = (wanted: string) => {
    localStorage.setItem(KEY, wanted);
    dispatchEvent(new Event(CHANGED));
  };
  return [seconds, change];
}
