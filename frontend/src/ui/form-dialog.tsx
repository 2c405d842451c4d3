import type { ComponentProps, ReactNode } from "react";

import type { Form } from "../lib/use-form";
import { Dialog } from "./dialog";
import { FormBox } from "./form";
import { DialogFoot } from "./form-foot";

interface FormDialogProps<V extends Record<keyof V & string, string>>
  extends
    Pick<ComponentProps<typeof Dialog>, "title" | "description" | "wide" | "onClose" | "children">,
    Omit<ComponentProps<typeof DialogFoot>, "form" | "onCancel"> {
  form: Form<V>;
}

/** A form in a dialog: it is sent, or left by Cancel. */
export function FormDialog<V extends Record<keyof V & string, string>>(props: FormDialogProps<V>): ReactNode {
  const { form, title, description, wide = false, onClose, children, ...foot } = props;
  return (
    <Dialog title={title} description={description} wide={wide} onClose={onClose}>
      <FormBox form={form}>
        {children}
        <DialogFoot {...foot} form={form} onCancel={onClose} />
      </FormBox>
    </Dialog>
  );
}
