import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import type { Overview } from "../../../api/types";
import { api, readData } from "../../../lib/client";

export const OVERVIEW = ["overview"];

/** The figures of the dashboard, shared by all islands of the page. */
export function useOverview(): UseQueryResult<Overview> {
  return useQuery({ queryKey: OVERVIEW, queryFn: () => readData(api.GET("/api/analytics/dashboard")) });
}
