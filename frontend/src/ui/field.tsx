import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { useId, type ComponentProps, type ReactNode } from "react";

interface ControlProps {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

export interface FieldLabel {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
}

interface FieldProps extends FieldLabel {
  children: (control: ControlProps) => ReactNode;
}

/** What is wrong, said at once by screen readers. */
export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }): ReactNode {
  return (
    <p className="field-error" id={id} role="alert">
      <CircleAlert size={16} aria-hidden />
      {children}
    </p>
  );
}

/** Label above, hint and error below, tied to the control for screen readers. */
export function Field({ label, hint, error, children }: FieldProps): ReactNode {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  const describedBy = [hintId, errorId].filter(Boolean).join(" ") || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-invalid": Boolean(error), "aria-describedby": describedBy })}
      {hint ? (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      ) : null}
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
    </div>
  );
}

/** A line to type in. */
export function InputField({
  label,
  hint,
  error,
  ...input
}: FieldLabel & ComponentProps<"input">): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <input {...control} className="input" {...input} />}
    </Field>
  );
}
