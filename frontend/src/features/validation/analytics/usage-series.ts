import { formatDate } from "../../../lib/format";
import { CATEGORIES, CATEGORY_WORDS } from "../../../lib/labels";
import type { Category } from "../../../api/types";

export type CategoryNumbers = Record<Category, number>;

export interface PreviousDay {
  date: string;
  validations: number;
  accuracy: number | null;
}

export interface Day {
  date: string;
  validations: number;
  categories: CategoryNumbers;
  accuracy?: number | null;
  /** The day in its place of the previous period. */
  previous: PreviousDay;
}

/** The six categories in the order in which they are stacked and named. */
export const SERIES = CATEGORIES.map((key) => ({ key, name: CATEGORY_WORDS[key] }));

export const PREVIOUS = "Previous period";

export function sumCategories(days: readonly { categories: CategoryNumbers }[]): CategoryNumbers {
  const sum = (category: Category) => days.reduce((all, { categories }) => all + categories[category], 0);
  return {
    valid: sum("valid"),
    catch_all: sum("catch_all"),
    unknown: sum("unknown"),
    disposable: sum("disposable"),
    spam_trap: sum("spam_trap"),
    invalid: sum("invalid"),
  };
}

/** Whether there is anything to compare with. */
export function hasPrevious(days: readonly Day[]): boolean {
  return days.some(({ previous }) => previous.validations > 0);
}

interface Counted {
  dailyUsage: readonly Omit<Day, "previous">[];
  previousUsage: readonly PreviousDay[];
  firstDay: string | null;
}

/** The days since something was counted, each beside the day of the previous period in its place. */
export function joinDays({ dailyUsage, previousUsage, firstDay }: Counted): Day[] {
  const nothing = { date: "", validations: 0, accuracy: null };
  return dailyUsage
    .map((day, index) => ({ ...day, previous: previousUsage[index] ?? nothing }))
    .filter(({ date }) => firstDay === null || date >= firstDay);
}

const WEEK = 7;
/** More days than this are drawn by week: a bar a day would be too thin to be told from the next. */
const MOST_BARS = 90;
const MOST_BARS_NARROW = 31;

function sumDays(days: readonly Day[]): Day {
  const [first] = days;
  const total = (read: (day: Day) => number) => days.reduce((all, day) => all + read(day), 0);
  return {
    date: first?.date ?? "",
    validations: total(({ validations }) => validations),
    categories: sumCategories(days),
    previous: {
      date: first?.previous.date ?? "",
      validations: total(({ previous }) => previous.validations),
      accuracy: null,
    },
  };
}

/** The bars of a range: a day each, or the seven days from its date on. */
export function groupBars(days: readonly Day[], narrow = false): { bars: readonly Day[]; weekly: boolean } {
  if (days.length <= (narrow ? MOST_BARS_NARROW : MOST_BARS)) return { bars: days, weekly: false };
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
