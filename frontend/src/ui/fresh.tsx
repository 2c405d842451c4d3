import type { ReactNode } from "react";

import { messageOf } from "../lib/errors";
import { Button } from "./button";
import { Loaded } from "./states";
import { Time } from "./values";

interface FreshProps<T> {
  query: {
    data: T | undefined;
    error: unknown;
    isFetching: boolean;
    dataUpdatedAt: number;
    refetch: () => unknown;
  };
  fallback: string;
  /** Rows that stand in while it loads. */
  rows: number;
  children: (data: T) => ReactNode;
}

/** What was loaded; when it cannot be read again the last values stay, with their time and the reason. */
export function Fresh<T>({ query, fallback, rows, children }: FreshProps<T>): ReactNode {
  const { data, error, isFetching, dataUpdatedAt, refetch } = query;
  return (
    <>
      {data !== undefined && error ? (
        <div className="notice notice-danger" role="alert">
          <p>
            {messageOf(error, fallback)}. These values are from{" "}
            <Time at={new Date(dataUpdatedAt).toISOString()} />.
          </p>
          <Button busy={isFetching} onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      ) : null}
      <Loaded query={query} fallback={fallback} rows={rows}>
        {children}
      </Loaded>
    </>
  );
}
