import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import type { User } from "../../../api/types";
import { api, readData } from "../../../lib/client";

/** The signed-in user. A refused session has left for the landing page; other failures keep the token. */
export function useCurrentUser(): UseQueryResult<User> {
  return useQuery({ queryKey: ["me"], queryFn: () => readData(api.GET("/api/auth/me")) });
}
