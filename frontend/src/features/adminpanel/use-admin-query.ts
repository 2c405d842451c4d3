import { useQuery, type Query, type UseQueryResult } from "@tanstack/react-query";
import { createContext, useContext, useEffect } from "react";
import { toast } from "sonner";

import { ApiError, isDenied } from "../../lib/errors";
import { queryClient } from "../../lib/query";
import { readToken } from "../../lib/session";

export const NO_ACCESS = "Admin access required.";
const NO_TOKEN = "Authentication required";

/** Takes the staff area away; the frame provides it. */
export const RevokeAccess = createContext<() => void>(() => undefined);

async function loadGuarded<T>(load: () => Promise<T>): Promise<T> {
  if (readToken() === null) throw new ApiError(401, "NO_TOKEN", NO_TOKEN, null);
  return load();
}

/**
 * A load of the staff area: none without a stored token; a refusal takes the whole area away.
 * @param again milliseconds until it is loaded once more, or false, by what was loaded last.
 * @param keep whether what was loaded before stays until there is what is asked for now.
 */
export function useAdminQuery<T>(
  key: readonly unknown[],
  load: () => Promise<T>,
  again?: (data: T | undefined) => number | false,
  keep = false,
): UseQueryResult<T> {
  const revoke = useContext(RevokeAccess);
  const query = useQuery({
    queryKey: ["admin", ...key],
    queryFn: () => loadGuarded(load),
    refetchInterval: ({ state }: Query<T>) => again?.(state.data) ?? false,
    placeholderData: (before) => (keep ? before : undefined),
  });
  const { error } = query;
  useEffect(() => {
    if (!isDenied(error)) return;
    toast.error(error?.message === NO_TOKEN ? NO_TOKEN : NO_ACCESS);
    revoke();
  }, [error, revoke]);
  return query;
}

/** A load of rows: those of before stay until others are there, so that the table keeps its size and the focus. */
export function useAdminRows<T>(
  key: readonly unknown[],
  load: () => Promise<T>,
  again?: (data: T | undefined) => number | false,
): UseQueryResult<T> {
  return useAdminQuery(key, load, again, true);
}

/** Loads anew what the staff area keeps under this key. */
export function reloadAdmin(...key: readonly unknown[]): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ["admin", ...key] });
}
