import type { Day } from "../../validation/analytics/use-analytics";

export interface Month {
  /** YYYY-MM. */
  month: string;
  validations: number;
  valid: number;
  invalid: number;
  unknown: number;
}

/** The days summed by calendar month, in their order. */
export function sumByMonth(days: readonly Day[]): Month[] {
  const months = new Map<string, Month>();
  for (const { date, validations, valid, invalid, unknown } of days) {
    const month = date.slice(0, 7);
    const sum = months.get(month) ?? { month, validations: 0, valid: 0, invalid: 0, unknown: 0 };
    months.set(month, {
      month,
      validations: sum.validations + validations,
      valid: sum.valid + valid,
      invalid: sum.invalid + invalid,
      unknown: sum.unknown + unknown,
    });
  }
  return [...months.values()];
}

const words = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });

/** Nov 2026 */
export function formatMonth(month: string): string {
  return words.format(new Date(`${month}-01T00:00:00Z`));
}
