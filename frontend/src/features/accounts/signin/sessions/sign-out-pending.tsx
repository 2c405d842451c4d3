import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";

import { navigation } from "../../../../lib/session";
import { Button } from "../../../../ui/button";

const PAUSE_MS = 3_000;

interface SignOutPendingProps {
  /** Tells the server once more; answers whether the session has ended there. */
  signOutAgain: () => Promise<boolean>;
}

/** The server did not hear of a sign-out: says so and tries again until it has. */
export function SignOutPending({ signOutAgain }: SignOutPendingProps): ReactNode {
  const [busy, setBusy] = useState(false);
  const tryAgain = async () => {
    if (busy) return;
    setBusy(true);
    if (await signOutAgain()) navigation.go("/");
    else setBusy(false);
  };
  const onTick = useEffectEvent(() => void tryAgain());
  useEffect(() => {
    const timer = setInterval(onTick, PAUSE_MS);
    addEventListener("online", onTick);
    return () => {
      clearInterval(timer);
      removeEventListener("online", onTick);
    };
  }, []);
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
        <Button kind="primary" busy={busy} changes={false} onClick={() => void tryAgain()}>
          Try again now
        </Button>
      </div>
    </div>
  );
}
