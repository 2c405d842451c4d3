import { sumCategories, type CategoryNumbers, type Day } from "../../validation/analytics/usage-series";

export interface Month {
  /** YYYY-MM. */
  month: string;
  validations: number;
  categories: CategoryNumbers;
}

/** The days summed by calendar month, in their order. */
export function sumByMonth(days: readonly Day[]): Month[] {
  const months = new Map<string, Day[]>();
  for (const day of days) {
    const month = day.date.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), day]);
  }
  return [...months].map(([month, its]) => ({
    month,
    validations: its.reduce((all, { validations }) => all + validations, 0),
    categories: sumCategories(its),
  }));
}

const words = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });

/** Nov 2026 */
export function formatMonth(month: string): string {
  return words.format(new Date(`${month}-01T00:00:00Z`));
}
