const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumFractionDigits: 1,
  roundingMode: "trunc",
});
const onePlace = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const utc = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

export const NO_VALUE = "–";

export function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? NO_VALUE : whole.format(value);
}

/** Exact up to seven digits; from 10,000,000 on the short form with one decimal, cut off and never rounded up: 12.3M. */
export function formatShort(value: number): string {
  return Math.abs(value) < 10_000_000 ? whole.format(value) : short.format(value);
}

/** Such as $1,234.50; what goes back is negative: -$59.00. */
export function formatMoney(amount: number, currency = "USD"): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount);
}

/** @param share 0 to 1. */
export function formatPercent(share: number): string {
  return `${onePlace.format(share * 100)}%`;
}

/** Confidence 0 to 1 as a whole percent. */
export function formatConfidence(score: number): string {
  return `${Math.round(score * 100)}%`;
}

/** Share of `part` in `total`; nothing out of nothing is 0. */
export function calculateShare(part: number, total: number): number {
  return total > 0 ? part / total : 0;
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** @param isLeast whether there are more than so many: "more than 10,000". */
export function formatTotal(total: number, isLeast: boolean): string {
  return isLeast ? `more than ${formatNumber(total)}` : formatNumber(total);
}

/** @param seconds time left or taken: 45 s, 2 min 5 s, 1 h 4 min. */
export function formatDuration(seconds: number): string {
  const total = Math.max(0, Math.round(seconds));
  if (total < 60) return `${total} s`;
  const minutes = Math.floor(total / 60);
  if (minutes < 60) return total % 60 ? `${minutes} min ${total % 60} s` : `${minutes} min`;
  const rest = minutes % 60;
  return rest ? `${Math.floor(minutes / 60)} h ${rest} min` : `${Math.floor(minutes / 60)} h`;
}

/** A time that is not known to the second, rounded up: 20 s, 3 min, 1 h 32 min, 2 days 4 h. */
export function formatAbout(seconds: number): string {
  if (seconds <= 50) return `${Math.max(1, Math.ceil(seconds / 10)) * 10} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 24 * 60) return formatDuration(minutes * 60);
  const hours = Math.ceil(seconds / 3_600);
  const rest = hours % 24;
  const days = formatCount(Math.floor(hours / 24), "day");
  return rest ? `${days} ${rest} h` : days;
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Relative up to seven days, then the local date and time. */
export function formatTime(iso: string, now: Date = new Date()): string {
  const then = new Date(iso);
  const seconds = (then.getTime() - now.getTime()) / 1000;
  const age = Math.abs(seconds);
  if (age >= 7 * DAY_S) return dateTime.format(then);
  if (age < MINUTE_S) return "just now";
  if (age < HOUR_S) return relative.format(Math.trunc(seconds / MINUTE_S), "minute");
  if (age < DAY_S) return relative.format(Math.trunc(seconds / HOUR_S), "hour");
  return relative.format(Math.trunc(seconds / DAY_S), "day");
}

/** 14:20, or with the day where it is another one: 24 Nov, 09:10. */
export function formatClock(iso: string, now: Date = new Date()): string {
  const then = new Date(iso);
  return formatDay(then) === formatDay(now) ? clock.format(then) : dayAndClock.format(then);
}

export function formatDateTime(iso: string): string {
  return dateTime.format(new Date(iso));
}

/** From then to then; a day that is the same is named once. */
export function formatTimes(start: string, end: string): string {
  return dateTime.formatRange(new Date(start), new Date(end));
}

/** @param day YYYY-MM-DD; the day is the same everywhere. */
export function formatDate(day: string): string {
  return formatShortDate(`${day}T00:00:00Z`);
}

/** Local and universal time, for the tooltip. */
export function formatBothTimes(iso: string): string {
  const moment = new Date(iso);
  return `${dateTime.format(moment)} local · ${utc.format(moment)} UTC`;
}

/** YYYY-MM-DD of the local day, as file names carry it. */
export function formatDay(day: Date = new Date()): string {
  const part = (value: number) => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${part(day.getMonth() + 1)}-${part(day.getDate())}`;
}

const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** 28 February 2030: a date that the books count in, in UTC like the server's messages. */
export function formatLongDate(iso: string): string {
  return longDate.format(new Date(iso));
}

/** 28 Feb 2030: such a date where there is little room. */
export function formatShortDate(iso: string): string {
  return date.format(new Date(iso));
}

/** $79 or $15.52: cents only where there are any. */
export function formatUsd(amount: number): string {
  return formatMoney(amount).replace(/\.00$/, "");
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${onePlace.format(bytes / 1024)} KB`;
  return `${onePlace.format(bytes / 1_048_576)} MB`;
}

/** 4.8 ms, 212 ms: whole ones from ten on. */
export function formatMilliseconds(value: number | null): string {
  if (value === null) return NO_VALUE;
  if (value < 0.05) return "< 0.1 ms";
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}
