import type { ReactNode } from "react";

import { Button } from "./button";
import { Dialog } from "./dialog";
import { Failure } from "./form";

interface ConfirmProps {
  title: string;
  /** What is pressed to do it. */
  action: string;
  busy: boolean;
  failure?: string | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something that cannot be taken back. */
export function Confirm({
  title,
  action,
  busy,
  failure,
  onConfirm,
  onClose,
  children,
}: ConfirmProps): ReactNode {
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="danger" busy={busy} onClick={onConfirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions} closable={false}>
      <div className="stack-4">
        {children}
        <Failure>{failure}</Failure>
      </div>
    </Dialog>
  );
}
