const MINUTE_MS = 60_000;
/** How far the labels of a time axis may be apart, in minutes. */
const STEPS = [5, 10, 30, 60, 120, 300, 360];

/** Round times from then to then, at most five of them. */
export function listTimes(from: number, until: number): number[] {
  const step = (STEPS.find((minutes) => until - from < 5 * minutes * MINUTE_MS) ?? 360) * MINUTE_MS;
  const last = until - (until % Math.min(step, 60 * MINUTE_MS));
  return [4, 3, 2, 1, 0].map((steps) => last - steps * step).filter((time) => time >= from);
}
