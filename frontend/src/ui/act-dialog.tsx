import type { ComponentProps, ReactNode } from "react";

import { Button } from "./button";
import { Dialog } from "./dialog";

interface ActDialogProps
  extends
    Omit<ComponentProps<typeof Dialog>, "actions">,
    Pick<ComponentProps<typeof Button>, "kind" | "busy" | "disabled"> {
  /** What is pressed to do it. */
  action: ReactNode;
  onAct: () => void;
  /** How leaving is called. */
  cancel?: string;
}

/** A dialog that is left by doing what it is about, or by letting it be. */
export function ActDialog(props: ActDialogProps): ReactNode {
  const { action, kind = "primary", busy, disabled, onAct, cancel = "Cancel", ...dialog } = props;
  const actions = (
    <>
      <Button onClick={dialog.onClose}>{cancel}</Button>
      <Button kind={kind} busy={busy} disabled={disabled} onClick={onAct}>
        {action}
      </Button>
    </>
  );
  return <Dialog {...dialog} actions={actions} />;
}
