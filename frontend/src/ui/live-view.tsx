import type { ReactNode } from "react";

import { StaleNote, type LiveQuery } from "./stale-note";
import { Loaded, type Rows } from "./states";

interface LiveViewProps<T> {
  query: LiveQuery & { data: T | undefined };
  fallback: string;
  rows: Rows;
  children: (data: T) => ReactNode;
}

/** What was loaded; when it cannot be read again the last values stay, with their time and the reason. */
export function LiveView<T>({ query, fallback, rows, children }: LiveViewProps<T>): ReactNode {
  return (
    <>
      {query.data === undefined ? null : <StaleNote query={query} fallback={fallback} />}
      <Loaded query={query} fallback={fallback} rows={rows}>
        {children}
      </Loaded>
    </>
  );
}
