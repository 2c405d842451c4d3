import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { api, readData } from "../../../lib/client";
import { hasAdvanced } from "../../validation/analytics/use-analytics";
import { mayDo } from "../../../lib/rights";
import type { OwnUse } from "./recommendation";

const MONTH_DAYS = 30;

async function loadOwnUse(long: boolean): Promise<OwnUse> {
  const range = long ? "90d" : "30d";
  const { total, dailyUsage } = await readData(
    api.GET("/api/analytics/usage", { params: { query: { range } } }),
  );
  if (!long) return { last30: total, last90: null };
  const last30 = dailyUsage.slice(-MONTH_DAYS).reduce((sum, { validations }) => sum + validations, 0);
  return { last30, last90: total };
}

/** How much the account checks, over as many days as its plan shows. */
export function useOwnUse(plan: string): UseQueryResult<OwnUse> {
  const long = hasAdvanced(plan);
  return useQuery({ queryKey: ["own-use", long], queryFn: () => loadOwnUse(long), enabled: mayDo("read") });
}
