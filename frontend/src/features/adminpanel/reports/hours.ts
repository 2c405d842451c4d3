const HOUR_MS = 3_600_000;

/** Full hours from then to then, at most five of them. */
export function listHours(from: number, until: number): number[] {
  const last = until - (until % HOUR_MS);
  const apart = [1, 2, 5, 6].find((hours) => (until - from) / (hours * HOUR_MS) < 5) ?? 6;
  return [4, 3, 2, 1, 0].map((step) => last - step * apart * HOUR_MS).filter((hour) => hour >= from);
}
