import type { ReactNode } from "react";

import { Button } from "./button";

interface RefetchButtonProps {
  query: { isFetching: boolean; refetch: () => unknown };
  words?: ReactNode;
  kind?: "plain" | "quiet";
}

/** Asks the server once more. */
export function RefetchButton({ query, words = "Retry", kind = "plain" }: RefetchButtonProps): ReactNode {
  return (
    <Button kind={kind} busy={query.isFetching} changes={false} onClick={() => void query.refetch()}>
      {words}
    </Button>
  );
}
