import type { ReactNode } from "react";

import type { Form } from "../lib/use-form";
import { Button } from "./button";
import { Failure, FormBox, type FormProps } from "./form";

/** Whether a form is being sent, and why it was not. */
type SendState = Pick<Form<Record<string, string>>, "failure" | "busy">;

interface SubmitButtonProps {
  form: SendState;
  kind?: "primary" | "plain" | "danger" | undefined;
  disabled?: boolean | undefined;
  children: ReactNode;
}

/** Sends the form it stands in. */
export function SubmitButton({ form, kind = "primary", disabled, children }: SubmitButtonProps): ReactNode {
  return (
    <Button kind={kind} type="submit" busy={form.busy} disabled={disabled}>
      {children}
    </Button>
  );
}

/** What stands below the fields of a form. */
export interface FormFoot {
  /** What is pressed to send it. */
  action: ReactNode;
  kind?: SubmitButtonProps["kind"];
  disabled?: boolean;
  /** Leaves it without sending. */
  onCancel?: () => void;
  /** How leaving is called. */
  cancel?: string;
  /** Before the buttons, at the foot of a dialog. */
  aside?: ReactNode;
}

type FootedFormProps<V extends Record<keyof V & string, string>> = FormProps<V> & FormFoot;

/** A form; below its fields why it was not sent, and what can be done with it. */
export function PageForm<V extends Record<keyof V & string, string>>(props: FootedFormProps<V>): ReactNode {
  const { form, action, kind, disabled, onCancel, children } = props;
  return (
    <FormBox {...props}>
      {children}
      <Failure>{form.failure}</Failure>
      <div className="row">
        <SubmitButton form={form} kind={kind} disabled={disabled}>
          {action}
        </SubmitButton>
        {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
      </div>
    </FormBox>
  );
}

/** The same in a dialog. */
export function DialogForm<V extends Record<keyof V & string, string>>(props: FootedFormProps<V>): ReactNode {
  const { form, action, kind, disabled, onCancel, cancel = "Cancel", aside, children } = props;
  return (
    <FormBox {...props}>
      {children}
      <Failure>{form.failure}</Failure>
      <div className="dialog-foot">
        {aside}
        {onCancel ? <Button onClick={onCancel}>{cancel}</Button> : null}
        <SubmitButton form={form} kind={kind} disabled={disabled}>
          {action}
        </SubmitButton>
      </div>
    </FormBox>
  );
}
