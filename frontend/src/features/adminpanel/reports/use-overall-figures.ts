import type { Advanced } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { joinDays } from "../../validation/analytics/usage-series";
import type { Analytics, Range } from "../../validation/analytics/use-analytics";

export interface OverallFigures extends Analytics {
  advanced: Advanced;
}

async function loadFigures(range: Range): Promise<OverallFigures> {
  const query = { range, scope: "all", _t: String(Date.now()) } as const;
  const headers = { "Cache-Control": "no-cache" };
  const advanced: Partial<Advanced> = await readData(
    api.GET("/api/analytics/advanced", { params: { query }, headers }),
  );
  if (!isComplete(advanced)) throw new Error("The answer has no breakdown");
  return {
    days: joinDays(advanced.usagePatterns),
    total: advanced.overview.totalValidations,
    advanced,
  };
}

function isComplete(answer: Partial<Advanced>): answer is Advanced {
  return answer.validationBreakdown !== undefined;
}

/** The days of all accounts. */
export function useOverallFigures(range: Range) {
  return useAdminQuery(["analytics", range], () => loadFigures(range));
}
