import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";

const API_CREDITS = ["api-credits"] as const;
// Each look costs a call to each provider: what was loaded is kept until somebody asks again.
queryClient.setQueryDefaults(["admin", ...API_CREDITS], { staleTime: Infinity, gcTime: Infinity });

/** The outside providers and their credits. */
export function useApiCredits() {
  return useAdminQuery(API_CREDITS, () => readData(api.GET("/api/admin/api-credits")));
}

/** What the figures of outside providers are kept under. */
export const PROVIDER_STATS = ["provider-stats"] as const;
