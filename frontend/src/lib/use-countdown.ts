import { useEffect, useState } from "react";

const SECOND_MS = 1_000;

/** How many seconds are left of so many, counted from when it is first shown. */
export function useCountdown(seconds: number): number {
  const [end] = useState(() => Date.now() + seconds * SECOND_MS);
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((end - now) / SECOND_MS));
  const counting = left > 0;
  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [counting]);
  return left;
}
