import X from "lucide-react/icons/x";
import * as Radix from "@radix-ui/react-dialog";
import type { ComponentProps, ReactNode } from "react";

import { Button } from "./button";
import { useOpener } from "./dialog-focus";

interface DialogProps {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  /** Buttons at the foot. */
  actions?: ReactNode;
  wide?: boolean;
  /** Of one of several records, at the right edge beside their list. */
  record?: {
    /** The way to the others, in the head. */
    steps: ReactNode;
    /** Its row, which gets the focus when this is left. */
    findRow: () => HTMLElement | null;
  };
  /** False where leaving has a name of its own among the actions: a press beside the dialog does nothing then. Escape
   * always leaves. */
  closable?: boolean;
  children: ReactNode;
}

/** A form starts in its first control, not on the close button before it; anything else on its primary action. */
function focusFirstControl(event: Event): void {
  const dialog = event.currentTarget as HTMLElement;
  const control =
    dialog.querySelector<HTMLElement>(".dialog-body :is(input, textarea, select)") ??
    dialog.querySelector<HTMLElement>(".dialog-foot .button-primary");
  if (!control) return;
  event.preventDefault();
  control.focus();
}

/** The keys that lead to the other records work at once. */
function focusDialog(event: Event): void {
  event.preventDefault();
  (event.currentTarget as HTMLElement).focus();
}

function getClass({ wide, record }: DialogProps): string {
  if (record) return "dialog dialog-side";
  return wide ? "dialog dialog-wide" : "dialog";
}

function keepOpen(event: Event): void {
  event.preventDefault();
}

/** A press on a toast, such as Undo, is not one beside the dialog. */
function keepForToast(event: Event): void {
  if (event.target instanceof Element && event.target.closest("[data-sonner-toaster]")) keepOpen(event);
}

function DialogHead({ title, description, record, closable = true }: DialogProps): ReactNode {
  return (
    <div className="dialog-head">
      <div>
        <Radix.Title className="dialog-title">{title}</Radix.Title>
        {description ? <Radix.Description className="lead">{description}</Radix.Description> : null}
      </div>
      {record?.steps}
      {closable ? (
        <Radix.Close className="button button-quiet button-icon" aria-label="Close dialog">
          <X size={20} aria-hidden />
        </Radix.Close>
      ) : null}
    </div>
  );
}

/** A modal dialog, shown as long as it is rendered; a sheet on phones. */
export function Dialog(props: DialogProps): ReactNode {
  const { description, onClose, actions, record, closable = true, children } = props;
  const giveBack = useOpener(record?.findRow);
  const described = description ? {} : { "aria-describedby": undefined };
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content
          className={getClass(props)}
          {...described}
          onInteractOutside={closable ? keepForToast : keepOpen}
          onOpenAutoFocus={record ? focusDialog : focusFirstControl}
          onCloseAutoFocus={giveBack}
        >
          <DialogHead {...props} />
          <div className="dialog-body">{children}</div>
          {actions ? <div className="dialog-foot">{actions}</div> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

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
