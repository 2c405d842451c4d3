import { useQuery } from "@tanstack/react-query";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import type { ReactNode } from "react";

import { navigation } from "../../../../lib/session";
import { Button } from "../../../../ui/button";

const PAUSE_MS = 3_000;

interface SignOutPendingProps {
  /** Tells the server once more; answers whether the session has ended there. */
  signOutAgain: () => Promise<boolean>;
}

/** The server did not hear of a sign-out: says so and tries again until it has. */
export function SignOutPending({ signOutAgain }: SignOutPendingProps): ReactNode {
  const { isFetching, refetch } = useQuery({
    queryKey: ["sign-out"],
    queryFn: async () => {
      const ended = await signOutAgain();
      if (ended) navigation.go("/");
      return ended;
    },
    initialData: false, // the first try has just failed
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data ? false : PAUSE_MS),
    refetchIntervalInBackground: true,
    refetchOnReconnect: "always",
    networkMode: "always",
  });
  return (
    <div className="card stack-4">
      <CircleAlert className="tone-text tone-risky" size={32} aria-hidden />
      <div className="stack-2" role="alert">
        <h1>Not signed out yet</h1>
        <p>The server does not answer. Your session is still open there.</p>
      </div>
      <p className="muted">
        We try again every few seconds. If you leave, the next page that you open here in this browser ends
        the session.
      </p>
      <div className="row">
        <Button kind="primary" busy={isFetching} changes={false} onClick={() => void refetch()}>
          Try again now
        </Button>
      </div>
    </div>
  );
}
