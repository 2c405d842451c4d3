import type { Advanced } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, dataOf } from "../../../lib/client";
import type { Analytics, Range } from "../../validation/analytics/use-analytics";

export interface Figures extends Analytics {
  advanced: Advanced;
}

async function load(range: Range): Promise<Figures> {
  const query = { range, scope: "all", _t: String(Date.now()) } as const;
  const headers = { "Cache-Control": "no-cache" };
  const advanced: Partial<Advanced> = await dataOf(
    api.GET("/api/analytics/advanced", { params: { query }, headers }),
  );
  if (!isWhole(advanced)) throw new Error("The answer has no breakdown");
  return {
    buckets: advanced.validationBreakdown,
    days: advanced.usagePatterns.dailyUsage,
    total: advanced.overview.totalValidations,
    advanced,
  };
}

function isWhole(answer: Partial<Advanced>): answer is Advanced {
  return answer.validationBreakdown !== undefined;
}

/** The days of all accounts. */
export function useFigures(range: Range) {
  return useAdminQuery(["analytics", range], () => load(range));
}
