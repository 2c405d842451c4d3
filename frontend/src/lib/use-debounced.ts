import { useEffect, useState } from "react";

const TYPING_MS = 300;

/** The value once typing has paused. */
export function useDebounced<T>(value: T): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
