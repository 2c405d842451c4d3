import type { ReactNode } from "react";

import { hasSessionEnded } from "../../lib/session-ended";
import { ButtonLink } from "../../ui/button";

/** What everybody sees who is not staff; the page shows the same to them before any script runs. */
export function AccessCard(): ReactNode {
  return (
    <div className="card stack-4 access-card">
      <h1>Admin Access Required</h1>
      {hasSessionEnded() ? (
        <p className="notice" role="status">
          You were signed out. Sign in to go on.
        </p>
      ) : null}
      <p>This area is for staff. Sign in with a staff account.</p>
      <div className="row">
        <ButtonLink kind="primary" href="/">
          Go to Login
        </ButtonLink>
      </div>
    </div>
  );
}
