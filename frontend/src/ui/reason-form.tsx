import type { ComponentProps, ReactNode } from "react";

import { useForm } from "../lib/use-form";
import { AreaField, EntryField } from "./form";
import { DialogForm, PageForm, type FormFoot } from "./form-foot";

type Reasoned<V> = Record<keyof V & string, string> & { reason: string };

/** Why something is done, in some sentences. */
export function ReasonField<V extends Reasoned<V>>(
  props: Omit<ComponentProps<typeof AreaField<V>>, "name" | "label">,
): ReactNode {
  return <AreaField hint="Kept with your name." maxLength={500} {...props} name="reason" label="Reason" />;
}

interface ReasonFormProps extends FormFoot {
  label: string;
  hint?: string;
  /** What failed, where the server does not say why. */
  failed: string;
  /** Answers true when the form is being left: the button stays busy. */
  send: (reason: string) => Promise<unknown>;
  /** Its buttons are at the foot of a dialog. */
  inDialog?: boolean;
  /** Above the field. */
  children?: ReactNode;
}

/** Asks why something is to be done: the reason is kept. */
export function ReasonForm(props: ReasonFormProps): ReactNode {
  const { label, hint, failed, send, inDialog = false, children, ...foot } = props;
  const form = useForm({
    defaults: { reason: "" },
    check: ({ reason }) => (reason.trim() === "" ? { reason: "Enter a reason" } : {}),
    send: ({ reason }) => send(reason.trim()),
    fallback: failed,
  });
  const FootedForm = inDialog ? DialogForm : PageForm;
  return (
    <FootedForm form={form} {...foot}>
      {children}
      <EntryField form={form} name="reason" label={label} hint={hint} maxLength={500} />
    </FootedForm>
  );
}
