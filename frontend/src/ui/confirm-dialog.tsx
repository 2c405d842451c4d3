import type { ReactNode } from "react";

import { Button } from "./button";
import { Dialog } from "./dialog";
import { Failure } from "./form";

interface ConfirmDialogProps {
  title: string;
  /** What is pressed to do it. */
  action: string;
  /** Danger, unless nothing is lost by it. */
  kind?: "danger" | "primary";
  busy: boolean;
  failure?: string | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something that cannot be taken back, or that the whole installation feels. */
export function ConfirmDialog({
  title,
  action,
  kind = "danger",
  busy,
  failure,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps): ReactNode {
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind={kind} busy={busy} onClick={onConfirm}>
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
