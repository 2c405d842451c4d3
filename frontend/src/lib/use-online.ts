import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

const watchConnection = (onChange: () => void) => onlineManager.subscribe(onChange);
const isOnline = () => onlineManager.isOnline();

/** Whether the device has a connection, as it goes and comes. */
export function useOnline(): boolean {
  return useSyncExternalStore(watchConnection, isOnline);
}
