import type { ReactNode } from "react";

import type { Form } from "../lib/use-form";
import { Button } from "./button";
import { Failure } from "./form";

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

interface FormFootProps {
  form: SendState;
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

/** Below the fields of a form: why it was not sent, and what can be done with it. */
export function FormFoot({ form, action, kind, disabled, onCancel }: FormFootProps): ReactNode {
  return (
    <>
      <Failure>{form.failure}</Failure>
      <div className="row">
        <SubmitButton form={form} kind={kind} disabled={disabled}>
          {action}
        </SubmitButton>
        {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
      </div>
    </>
  );
}

/** The same at the foot of a dialog. */
export function DialogFoot(props: FormFootProps): ReactNode {
  const { form, action, kind, disabled, onCancel, cancel = "Cancel", aside } = props;
  return (
    <>
      <Failure>{form.failure}</Failure>
      <div className="dialog-foot">
        {aside}
        {onCancel ? <Button onClick={onCancel}>{cancel}</Button> : null}
        <SubmitButton form={form} kind={kind} disabled={disabled}>
          {action}
        </SubmitButton>
      </div>
    </>
  );
}
