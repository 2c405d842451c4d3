import { useEffect, useEffectEvent, type ReactNode } from "react";

import { getErrorMessage } from "../../../../lib/errors";
import {
  completeGoogleSignIn,
  FROM_GOOGLE,
  GOOGLE_FAILED,
  getSecondFactorToken,
  getUnprovenAddress,
  type SignInTarget,
} from "../calls";

interface GoogleReturnProps {
  session: string;
  onSecondFactor: (mfaToken: string, arrival: SignInTarget) => void;
  /** Google does not vouch for the address. */
  onUnproven: (email: string) => void;
  onFailure: (message: string) => void;
}

/** Completes a sign-in that came back from Google. */
export function GoogleReturn(props: GoogleReturnProps): ReactNode {
  const { session, onSecondFactor, onUnproven, onFailure } = props;
  const fail = useEffectEvent((error: unknown) => {
    const [mfaToken, email] = [getSecondFactorToken(error), getUnprovenAddress(error)];
    if (mfaToken !== null) onSecondFactor(mfaToken, FROM_GOOGLE);
    else if (email !== null) onUnproven(email);
    else onFailure(getErrorMessage(error, GOOGLE_FAILED));
  });
  useEffect(() => {
    completeGoogleSignIn(session).catch(fail);
  }, [session]);
  return (
    <p className="waiting" role="status">
      One moment…
    </p>
  );
}
