import type { ReactNode } from "react";

import { Backups } from "./backups";

/** Running the system. */
export function SystemTab(): ReactNode {
  return (
    <div className="stack">
      <Backups />
    </div>
  );
}
