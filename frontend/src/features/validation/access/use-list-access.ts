import { useQuery } from "@tanstack/react-query";

import { api, readData } from "../../../lib/client";

function loadDownloads() {
  return readData(api.GET("/api/organisation/downloads"));
}

export interface ListAccess {
  /** Whether others of the organisation could see a list. */
  isShared: boolean;
  /** Whether results may be saved as files; the server says no where this is not known yet. */
  mayDownload: boolean;
}

/** Who else sees the lists of the organisation, and whether the person may save them. */
export function useListAccess(): ListAccess {
  const { data } = useQuery({ queryKey: ["downloads"], queryFn: loadDownloads });
  return { isShared: data?.is_shared ?? false, mayDownload: data?.may_download ?? true };
}
