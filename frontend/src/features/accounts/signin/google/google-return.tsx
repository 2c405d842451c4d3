import { useEffect, useEffectEvent, type ReactNode } from "react";

import { messageOf } from "../../../../lib/errors";
import {
  enterFromGoogle,
  FROM_GOOGLE,
  GOOGLE_FAILED,
  secondFactorOf,
  unprovenOf,
  type Arrival,
} from "../calls";

interface GoogleReturnProps {
  session: string;
  onSecondFactor: (mfaToken: string, arrival: Arrival) => void;
  /** Google does not vouch for the address. */
  onUnproven: (email: string) => void;
  onFailure: (message: string) => void;
}

/** Completes a sign-in that came back from Google. */
export function GoogleReturn(props: GoogleReturnProps): ReactNode {
  const { session, onSecondFactor, onUnproven, onFailure } = props;
  const fail = useEffectEvent((error: unknown) => {
    const [mfaToken, email] = [secondFactorOf(error), unprovenOf(error)];
    if (mfaToken !== null) onSecondFactor(mfaToken, FROM_GOOGLE);
    else if (email !== null) onUnproven(email);
    else onFailure(messageOf(error, GOOGLE_FAILED));
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
