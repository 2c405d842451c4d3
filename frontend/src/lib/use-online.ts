import { useSyncExternalStore } from "react";

/** Tells of the connection of the device as it goes and comes. */
export function watchConnection(onChange: () => void): () => void {
  const kinds = ["online", "offline"];
  for (const kind of kinds) addEventListener(kind, onChange);
  return () => {
    for (const kind of kinds) removeEventListener(kind, onChange);
  };
}

/** Whether the device has a connection. */
export function isOnline(): boolean {
  return navigator.onLine;
}

/** Resolves as soon as the device has a connection. */
export function waitForConnection(): Promise<void> {
  return new Promise((resolve) => {
    if (isOnline()) {
      resolve();
      return;
    }
    const stop = watchConnection(() => {
      if (!isOnline()) return;
      stop();
      resolve();
    });
  });
}

export function useOnline(): boolean {
  return useSyncExternalStore(watchConnection, isOnline);
}
