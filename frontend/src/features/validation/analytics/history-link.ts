import type { Category } from "../../../api/types";
import type { Day } from "./usage-series";

const DAY_MS = 86_400_000;

/** The day so many days later, as YYYY-MM-DD. */
function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** What was checked on these days: the tab History, filtered. */
export function buildHistoryLink(from: string, to: string, category?: Category): string {
  const query = new URLSearchParams({ tab: "history", from, to });
  if (category) query.set("category", category);
  return `/dashboard?${query.toString()}`;
}

/** Of a bar, which stands for a day or for seven from its date on, the last at most. */
export function buildBarLink(
  date: string,
  weekly: boolean,
  days: readonly Day[],
  category?: Category,
): string {
  const last = days.at(-1)?.date ?? date;
  const end = weekly ? addDays(date, 6) : date;
  return buildHistoryLink(date, end < last ? end : last, category);
}
