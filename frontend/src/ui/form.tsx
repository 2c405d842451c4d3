import { useEffect, useRef, type ComponentProps, type ReactNode } from "react";

import type { Form } from "../lib/use-form";
import { Field, InputField, type FieldLabel } from "./field";

type Texts<V> = Record<keyof V & string, string>;

export interface FormProps<V extends Texts<V>> {
  form: Form<V>;
  className?: string;
  children: ReactNode;
}

/** A form that gives the focus to the first field that was found wrong. */
export function FormBox<V extends Texts<V>>(props: FormProps<V>): ReactNode {
  const { form, className = "stack-4", children } = props;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form.refusals]);
  return (
    <form ref={element} className={className} noValidate onSubmit={form.submit}>
      {children}
    </form>
  );
}

/** A field of a form, which keeps its value. */
interface FormField<V extends Texts<V>> extends Omit<FieldLabel, "error"> {
  form: Form<V>;
  name: keyof V & string;
}

type TextFieldProps<V extends Texts<V>> = FormField<V> & Omit<ComponentProps<"input">, "form" | "name">;

/** A line to type in. */
export function TextField<V extends Texts<V>>({ form, name, ...rest }: TextFieldProps<V>): ReactNode {
  return (
    <InputField
      error={form.errors[name]}
      {...rest}
      name={name}
      value={form.values[name]}
      onChange={(event) => form.set(name, event.target.value)}
    />
  );
}

/** The same for what browsers know nothing of, and so offer nothing for. */
export function EntryField<V extends Texts<V>>(props: TextFieldProps<V>): ReactNode {
  return <TextField autoComplete="off" {...props} />;
}

interface PasswordFieldProps<V extends Texts<V>> extends Omit<FormField<V>, "label"> {
  label?: string;
  /** It is chosen here, and not known before. */
  fresh?: boolean;
}

/** A field for a password. */
export function PasswordField<V extends Texts<V>>(props: PasswordFieldProps<V>): ReactNode {
  const { label = "Password", fresh = false, ...rest } = props;
  const known = fresh ? "new-password" : "current-password";
  return <TextField label={label} {...rest} type="password" autoComplete={known} />;
}

type AreaFieldProps<V extends Texts<V>> = FormField<V> & Omit<ComponentProps<"textarea">, "form" | "name">;

/** A field for some sentences. */
export function AreaField<V extends Texts<V>>(props: AreaFieldProps<V>): ReactNode {
  const { form, name, label, hint, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={form.errors[name]}>
      {(control) => (
        <textarea
          {...control}
          className="input input-sentences"
          rows={3}
          {...rest}
          name={name}
          value={form.values[name]}
          onChange={(event) => form.set(name, event.target.value)}
        />
      )}
    </Field>
  );
}

/** Why something failed, said at once by screen readers. */
export function Failure({ children }: { children: ReactNode }): ReactNode {
  if (!children) return null;
  return (
    <p className="notice notice-danger" role="alert">
      {children}
    </p>
  );
}
