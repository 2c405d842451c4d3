import { useEffect, useState } from "react";

import type { BatchProgress } from "../../../../api/types";
import { getShown, startLeg, type Leg } from "./smooth-counts";
import { POLL_MS } from "./use-batch-progress";

const TICK_MS = 100;

/** How long the counts take to where the server said they are: until the next poll, or no time for who wants no motion. */
function getLegMs(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : POLL_MS;
}

/**
 * The progress as it is shown: its counts move on between polls.
 * @param answeredAt when the answer came, in milliseconds.
 */
export function useSmoothProgress(answer: BatchProgress | null, answeredAt: number): BatchProgress | null {
  const [lastsMs] = useState(getLegMs);
  const [now, setNow] = useState(Date.now);
  const [last, setLeg] = useState<Leg>({ answer: null, from: null, to: null, since: now });
  let leg = last;
  if (leg.answer !== answer) {
    leg = startLeg(last, answer, answeredAt, lastsMs);
    setLeg(leg);
  }
  const moves = leg.from !== null && now - leg.since < lastsMs;
  useEffect(() => {
    if (!moves) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [moves]);
  return getShown(leg, now, lastsMs);
}
