import { useEffect, type ReactNode } from "react";

import { navigation } from "../../../lib/session";

const REDIRECT_MS = 3_000;

/** Goes on after three seconds. */
export function RedirectNotice({ to, place }: { to: string; place: string }): ReactNode {
  useEffect(() => {
    const timer = setTimeout(() => navigation.go(to), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [to]);
  return <p className="muted">You will be taken to {place} in 3 seconds.</p>;
}

/** Something is being asked. */
export function PendingNotice({ words }: { words: string }): ReactNode {
  return (
    <div className="card stack-4">
      <h1>{words}</h1>
      <p className="waiting" role="status">
        One moment…
      </p>
    </div>
  );
}
