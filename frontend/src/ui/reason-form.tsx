import type { ReactNode } from "react";

import { useForm } from "../lib/use-form";
import { FormBox, TextField } from "./form";
import { DialogFoot, FormFoot } from "./form-foot";

interface ReasonFormProps {
  label: string;
  hint?: string;
  action: string;
  kind?: "primary" | "plain" | "danger";
  /** What failed, where the server does not say why. */
  failed: string;
  /** Answers true when the form is being left: the button stays busy. */
  send: (reason: string) => Promise<unknown>;
  onCancel?: () => void;
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
  const Foot = inDialog ? DialogFoot : FormFoot;
  return (
    <FormBox form={form}>
      {children}
      <TextField form={form} name="reason" label={label} hint={hint} maxLength={500} autoComplete="off" />
      <Foot form={form} {...foot} />
    </FormBox>
  );
}
