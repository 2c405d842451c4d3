import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import type { TeamRules } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";

const RULES = ["organisation-rules"] as const;
const DOMAINS = ["organisation-domains"] as const;

export function useRules(): UseQueryResult<TeamRules> {
  return useQuery({ queryKey: RULES, queryFn: () => readData(api.GET("/api/organisation/rules")) });
}

interface RuleChanges {
  second_factor?: boolean;
  grace_days?: number;
  networks?: string[];
}

/** Saves what is named, and shows what the server says then. */
export async function saveRules(changes: RuleChanges): Promise<TeamRules> {
  const body = { grace_days: 0, ...changes };
  const rules = await readData(api.PUT("/api/organisation/rules", { body }));
  queryClient.setQueryData(RULES, rules);
  return rules;
}

export function useDomains() {
  return useQuery({ queryKey: DOMAINS, queryFn: () => readData(api.GET("/api/organisation/domains")) });
}

export function refreshDomains(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: DOMAINS });
}
