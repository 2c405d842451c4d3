import type { ReactNode } from "react";

import { ActDialog } from "../../../../ui/dialog";

/** Asks whether a list that was not sent may be lost. */
export function UnsentQuestion({ onEnd }: { onEnd: (leaves: boolean) => void }): ReactNode {
  return (
    <ActDialog
      title="Log out without sending your list?"
      action="Log out"
      kind="danger"
      cancel="Stay"
      onAct={() => onEnd(true)}
      onClose={() => onEnd(false)}
    >
      <p>The list on the tab Validate was not sent. Logging out removes it from this browser.</p>
    </ActDialog>
  );
}
