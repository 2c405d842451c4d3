import type { ReactNode } from "react";

import { Field, InputField } from "../../../ui/field";
import type { Call, CallField, CallInput } from "./api-call";
import { SelectField } from "../../../ui/select";

interface CallFieldsProps {
  call: Call;
  entered: CallInput;
  onChange: (change: Partial<CallInput>) => void;
}

interface CallFieldInputProps extends CallFieldsProps {
  field: CallField;
}

function formatLabel({ name, required }: CallField): ReactNode {
  return (
    <>
      <code>{name}</code> {required ? null : <span className="hint">optional</span>}
    </>
  );
}

function CallFieldInput({ field, entered, onChange }: CallFieldInputProps): ReactNode {
  const value = entered.values[field.name] ?? "";
  const change = (to: string) => onChange({ values: { ...entered.values, [field.name]: to } });
  const label = formatLabel(field);
  if (field.file) {
    return (
      <InputField
        label={label}
        type="file"
        accept=".csv,.txt,.xls,.xlsx"
        onChange={(event) => onChange({ file: event.target.files?.[0] ?? null })}
      />
    );
  }
  if (field.values.length > 0) {
    const options = ["", ...field.values].map((one) => [one, one] as const);
    return <SelectField label={label} value={value} options={options} onChange={change} />;
  }
  return (
    <InputField
      label={label}
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => change(event.target.value)}
    />
  );
}

/** What the call takes. */
export function CallFields(props: CallFieldsProps): ReactNode {
  const { call, entered, onChange } = props;
  return (
    <>
      {call.fields.length === 0 ? null : (
        <div className="try-fields">
          {call.fields.map((field) => (
            <CallFieldInput key={field.name} {...props} field={field} />
          ))}
        </div>
      )}
      {call.body === null ? null : (
        <Field label="Body (JSON)">
          {(control) => (
            <textarea
              {...control}
              className="input"
              rows={5}
              spellCheck={false}
              value={entered.body}
              onChange={(event) => onChange({ body: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}
