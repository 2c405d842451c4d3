import { useEffect, useRef, type ComponentProps, type ReactNode } from "react";

import type { Form } from "../lib/use-form";
import { Field } from "./field";

interface FormProps<V extends Record<keyof V & string, string>> {
  form: Form<V>;
  className?: string;
  children: ReactNode;
}

export function FormBox<V extends Record<keyof V & string, string>>(props: FormProps<V>): ReactNode {
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

interface TextFieldProps<V extends Record<keyof V & string, string>> extends Omit<
  ComponentProps<"input">,
  "form" | "name"
> {
  form: Form<V>;
  name: keyof V & string;
  label: ReactNode;
  hint?: ReactNode;
}

/** A field of the form; the value is kept there. */
export function TextField<V extends Record<keyof V & string, string>>(props: TextFieldProps<V>): ReactNode {
  const { form, name, label, hint, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={form.errors[name]}>
      {(control) => (
        <input
          {...control}
          className="input"
          {...rest}
          name={name}
          value={form.values[name]}
          onChange={(event) => form.set(name, event.target.value)}
        />
      )}
    </Field>
  );
}

interface AreaFieldProps<V extends Record<keyof V & string, string>> extends Omit<
  ComponentProps<"textarea">,
  "form" | "name"
> {
  form: Form<V>;
  name: keyof V & string;
  label: ReactNode;
  hint?: ReactNode;
}

/** A field for some sentences. */
export function AreaField<V extends Record<keyof V & string, string>>(props: AreaFieldProps<V>): ReactNode {
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
