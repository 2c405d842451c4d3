import type { ReactNode } from "react";

import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { Dialog } from "./dialog";

interface SecretProps {
  text: string;
  /** What it is, where that cannot be seen. */
  label?: string;
  /** What the button beside it says. */
  copy: string;
}

/** Something to be copied, letter by letter. */
export function Secret({ text, label, copy }: SecretProps): ReactNode {
  return (
    <div className="secret">
      <code aria-label={label}>{text}</code>
      <CopyButton text={text} label={copy} />
    </div>
  );
}

interface ShownOnceProps {
  title: string;
  /** What is pressed when it is kept elsewhere. */
  done?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with what is not shown again: a press beside it does not close it. */
export function ShownOnce({ title, done = "I have kept it", onClose, children }: ShownOnceProps): ReactNode {
  const action = (
    <Button kind="primary" onClick={onClose}>
      {done}
    </Button>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={action} closable={false}>
      {children}
    </Dialog>
  );
}
