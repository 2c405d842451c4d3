import type { ReactNode } from "react";

import { refusalOf, requestIdOf } from "../../lib/errors";

/** What went wrong with a form, kept on the page when the toast is gone. */
export function Failure({ message, error }: { message: string; error: unknown }): ReactNode {
  const reference = requestIdOf(error);
  return (
    <p className="notice notice-danger" role="alert">
      <span>{message}</span>
      {refusalOf(error, "QUOTA_EXCEEDED") ? <a href="/dashboard?tab=pricing">Upgrade</a> : null}
      {reference ? <span className="muted mono break">Reference: {reference}</span> : null}
    </p>
  );
}
