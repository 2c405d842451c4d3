import { useEffect, useEffectEvent, type ReactNode } from "react";

import { messageOf } from "../../lib/errors";
import { enterFromGoogle, FROM_GOOGLE, GOOGLE_FAILED, secondFactorOf, type Arrival } from "./calls";

interface GoogleReturnProps {
  session: string;
  onSecondFactor: (mfaToken: string, arrival: Arrival) => void;
  onFailure: (message: string) => void;
}

/** Completes a sign-in that came back from Google. */
export function GoogleReturn({ session, onSecondFactor, onFailure }: GoogleReturnProps): ReactNode {
  const fail = useEffectEvent((error: unknown) => {
    const mfaToken = secondFactorOf(error);
    if (mfaToken === null) onFailure(messageOf(error, GOOGLE_FAILED));
    else onSecondFactor(mfaToken, FROM_GOOGLE);
  });
  useEffect(() => {
    enterFromGoogle(session).catch(fail);
  }, [session]);
  return (
    <p className="waiting" role="status">
      One moment…
    </p>
  );
}
