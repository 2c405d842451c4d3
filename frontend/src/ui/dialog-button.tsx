import { useState, type ComponentProps, type ReactNode } from "react";

import { Button } from "./button";

interface DialogButtonProps extends Omit<ComponentProps<typeof Button>, "onClick"> {
  /** What it opens, given the way to close it. */
  dialog: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ dialog, ...button }: DialogButtonProps): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {open ? dialog(() => setOpen(false)) : null}
    </>
  );
}
