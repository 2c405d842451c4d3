import type { ReactNode } from "react";

import { ResendVerification } from "./resend-verification";

/** After registering: what to do with the mail, and another one if it does not come. */
export function CheckYourEmail({ email }: { email: string }): ReactNode {
  return (
    <div className="stack-4">
      <p>
        We sent a link to <strong className="break">{email}</strong>. Open it to verify your address and
        start.
      </p>
      <p className="muted">The link expires in 24 hours. If no email arrives, look in your spam folder.</p>
      <ResendVerification email={email} />
    </div>
  );
}

/** After asking for a new password; the same for known and unknown addresses. */
export function ResetLinkSent({ email }: { email: string }): ReactNode {
  return (
    <p>
      If <strong className="break">{email}</strong> belongs to an account, a link to choose a new password is
      on its way. It works once, for one hour.
    </p>
  );
}
