import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import type { User } from "../api/types";
import { api, dataOf } from "./client";
import { clearSession, leaveView, navigation } from "./session";

/** The signed-in user. A refused session has left for the landing page; other failures keep the token. */
export function useMe(): UseQueryResult<User> {
  return useQuery({ queryKey: ["me"], queryFn: () => dataOf(api.GET("/api/auth/me")) });
}

/** Ends the session here in any case, on the server if it can be reached. */
export async function signOut(): Promise<void> {
  leaveView();
  try {
    await api.POST("/api/auth/logout");
  } catch (error) {
    console.warn("The server did not end the session", error);
  }
  clearSession();
  navigation.go("/");
}
