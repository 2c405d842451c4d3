import type { ReactNode } from "react";

import { ButtonLink } from "../../ui/button";

/** What everybody sees who is not staff; the page shows the same to them before any script runs. */
export function AccessCard(): ReactNode {
  return (
    <div className="card stack-4 access-card">
      <h1>Admin Access Required</h1>
      <p>This area is for staff. Sign in with a staff account.</p>
      <div className="row">
        <ButtonLink kind="primary" href="/">
          Go to Login
        </ButtonLink>
      </div>
    </div>
  );
}
