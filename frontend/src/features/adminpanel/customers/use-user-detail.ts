import type { UseQueryResult } from "@tanstack/react-query";

import type { UserDetail } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { USERS } from "./use-users";

/** One account with all that hangs on it. */
export function useUserDetail(id: number): UseQueryResult<UserDetail> {
  const params = { path: { user_id: id } };
  return useAdminQuery([...USERS, "one", id], () =>
    readData(api.GET("/api/admin/users/{user_id}", { params })),
  );
}
