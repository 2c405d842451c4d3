import type { ComponentProps, ReactNode } from "react";

import type { Form } from "../lib/use-form";
import { Field, type FieldLabel } from "./field";

export type SelectOptions<Key extends string> = readonly (readonly [Key, string])[];

/** What the address says, if it is an option; else the last one. */
export function findOption<Key extends string>(
  options: SelectOptions<Key>,
  value: string | null,
  otherwise: Key,
): Key {
  return options.find(([key]) => key === value)?.[0] ?? otherwise;
}

type Control = Omit<ComponentProps<"select">, "value" | "onChange" | "className" | "children">;

interface SelectProps<Key extends string> extends Control {
  /** Its name, where nothing else says it. */
  label?: string;
  value: Key;
  options: SelectOptions<Key>;
  onChange: (value: Key) => void;
  /** Wide screens do without it. */
  onlyNarrow?: boolean | undefined;
}

/** A choice out of a few. */
export function Select<Key extends string>(props: SelectProps<Key>): ReactNode {
  const { label, value, options, onChange, onlyNarrow, ...control } = props;
  return (
    <select
      {...control}
      className={onlyNarrow ? "input only-narrow" : "input"}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as Key)}
    >
      {options.map(([key, words]) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
    </select>
  );
}

type SelectFieldProps<Key extends string> = FieldLabel & Omit<SelectProps<Key>, "label">;

/** A choice out of a few, with its label. */
export function SelectField<Key extends string>(props: SelectFieldProps<Key>): ReactNode {
  const { label, hint, error, ...select } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Select {...control} {...select} />}
    </Field>
  );
}

interface ChoiceFieldProps<V extends Record<keyof V & string, string>> extends Omit<FieldLabel, "error"> {
  form: Form<V>;
  name: keyof V & string;
  options: SelectOptions<string>;
}

/** A choice out of a few, which a form keeps. */
export function ChoiceField<V extends Record<keyof V & string, string>>({
  form,
  name,
  ...rest
}: ChoiceFieldProps<V>): ReactNode {
  return (
    <SelectField
      {...rest}
      error={form.errors[name]}
      value={form.values[name]}
      onChange={(value) => form.set(name, value)}
    />
  );
}
