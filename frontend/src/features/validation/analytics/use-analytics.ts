import { keepPreviousData, useQuery } from "@tanstack/react-query";

import type { Advanced } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { joinDays, type Day } from "./usage-series";

export const RANGES = { "7d": "7 Days", "30d": "30 Days", "90d": "90 Days", "1y": "1 Year" } as const;
export type Range = keyof typeof RANGES;
/** Today included. */
export const RANGE_DAYS: Record<Range, number> = { "7d": 7, "30d": 30, "90d": 90, "1y": 365 };
/** The one that every plan has. */
export const BASIC_RANGE: Range = "30d";

export const WIDEST_RANGE: Range = "1y";

const BASIC_PLANS = ["free", "starter"];

export function hasAdvanced(plan: string): boolean {
  return !BASIC_PLANS.includes(plan);
}

export interface Analytics {
  /** None before the first that was ever counted. */
  days: Day[];
  total: number;
  /** Null below Growth. */
  advanced: Advanced | null;
}

async function loadBasic(): Promise<Analytics> {
  const usage = await readData(
    api.GET("/api/analytics/usage", { params: { query: { range: BASIC_RANGE } } }),
  );
  return { days: joinDays(usage), total: usage.total, advanced: null };
}

async function loadAdvanced(range: Range): Promise<Analytics> {
  const query = { range, scope: "me" } as const;
  const advanced = await readData(api.GET("/api/analytics/advanced", { params: { query } }));
  return {
    days: joinDays(advanced.usagePatterns),
    total: advanced.overview.totalValidations,
    advanced,
  };
}

/** The account's own days; `plan` is unknown until the overview has come. */
export function useAnalytics(plan: string | undefined, range: Range) {
  const advanced = plan !== undefined && hasAdvanced(plan);
  return useQuery({
    queryKey: ["analytics", advanced, range],
    queryFn: () => (advanced ? loadAdvanced(range) : loadBasic()),
    enabled: plan !== undefined,
    placeholderData: keepPreviousData,
  });
}
