import type { ComponentProps, ReactNode } from "react";

import { Dialog } from "./dialog";
import type { FormProps } from "./form";
import { DialogForm, type FormFoot } from "./form-foot";

type FormDialogProps<V extends Record<keyof V & string, string>> = FormProps<V> &
  Omit<FormFoot, "onCancel"> &
  Pick<ComponentProps<typeof Dialog>, "title" | "description" | "wide" | "onClose">;

/** A form in a dialog: it is sent, or left by Cancel. */
export function FormDialog<V extends Record<keyof V & string, string>>(props: FormDialogProps<V>): ReactNode {
  const { title, description, wide = false, onClose, ...form } = props;
  return (
    <Dialog title={title} description={description} wide={wide} onClose={onClose}>
      <DialogForm {...form} onCancel={onClose} />
    </Dialog>
  );
}
