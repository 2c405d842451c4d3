import { formatDate } from "../../../lib/format";
import type { Day } from "./use-analytics";

export const SERIES = [
  { key: "valid", name: "Valid", tone: "valid" },
  { key: "unknown", name: "Unknown and catch-all", tone: "unknown" },
  { key: "invalid", name: "Invalid and disposable", tone: "invalid" },
] as const;

export const BUCKETS = [
  { key: "valid", name: "Valid", tone: "valid" },
  { key: "risky", name: "Risky", tone: "risky" },
  { key: "disposable", name: "Disposable", tone: "disposable" },
  { key: "invalid", name: "Invalid", tone: "invalid" },
] as const;

const WEEK = 7;
/** More days than this are drawn by week: a bar a day would be thinner than a pixel on a phone. */
const MOST_BARS = 90;

function sumDays(days: Day[]): Day {
  const [first] = days;
  const total = (key: "validations" | "valid" | "invalid" | "unknown") =>
    days.reduce((all, day) => all + day[key], 0);
  return {
    date: first?.date ?? "",
    validations: total("validations"),
    valid: total("valid"),
    invalid: total("invalid"),
    unknown: total("unknown"),
  };
}

/** The bars of a range: a day each, or the seven days from its date on. */
export function groupBars(days: Day[]): { bars: Day[]; weekly: boolean } {
  if (days.length <= MOST_BARS) return { bars: days, weekly: false };
  const weeks: Day[] = [];
  // From the end, so that the last week is a whole one.
  for (let end = days.length; end > 0; end -= WEEK)
    weeks.unshift(sumDays(days.slice(Math.max(0, end - WEEK), end)));
  return { bars: weeks, weekly: true };
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** 3 Nov */
export function formatTick(iso: string): string {
  return day.format(new Date(`${iso}T00:00:00Z`));
}

/** 3 Nov 2025, or the week from then on. */
export function formatBar(iso: string, weekly: boolean): string {
  const text = formatDate(iso);
  return weekly ? `7 days from ${text}` : text;
}
