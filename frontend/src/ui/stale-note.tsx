import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import type { ReactNode } from "react";

import { getErrorMessage, getRequestId } from "../lib/errors";
import { RefetchButton } from "./refetch-button";
import { Time } from "./values";

export interface LiveQuery {
  data: unknown;
  error: unknown;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
  /** Of a list that grows: what failed is its next page, which `ShowMore` says. */
  isFetchNextPageError?: boolean;
}

/** The server's words end with a full stop, ours do not. */
function trimFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Says that the last load failed, of when the values are that stay, and offers another try. */
export function StaleNote({ query, fallback }: { query: LiveQuery; fallback: string }): ReactNode {
  const { error, data, dataUpdatedAt, isFetchNextPageError = false } = query;
  if (!error || isFetchNextPageError) return null;
  const reference = getRequestId(error);
  return (
    <div className="notice notice-danger stale-note" role="alert">
      <CircleAlert size={16} aria-hidden />
      <span className="grow">
        {trimFullStop(getErrorMessage(error, fallback))}{" "}
        {data === undefined ? null : (
          <>
            These values are from <Time at={new Date(dataUpdatedAt).toISOString()} />.
          </>
        )}
        {reference ? <span className="reference small"> Reference: {reference}</span> : null}
      </span>
      <RefetchButton query={query} />
    </div>
  );
}
