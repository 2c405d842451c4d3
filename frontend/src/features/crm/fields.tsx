import type { ReactNode } from "react";

import type { Form } from "../../lib/use-form";
import { EntryField } from "../../ui/form";

interface FieldProps<V extends Record<keyof V & string, string>> {
  form: Form<V>;
  name: keyof V & string;
}

export function CompanyField<V extends Record<keyof V & string, string>>(props: FieldProps<V>): ReactNode {
  return <EntryField {...props} label="Company name" maxLength={255} required />;
}

type AmountFieldProps<V extends Record<keyof V & string, string>> = FieldProps<V> & { label: string };

/** An amount of money, 0 or more. */
export function AmountField<V extends Record<keyof V & string, string>>(
  props: AmountFieldProps<V>,
): ReactNode {
  const number = { type: "number", min: 0, step: "0.01", inputMode: "decimal" } as const;
  return <EntryField {...props} {...number} required />;
}
