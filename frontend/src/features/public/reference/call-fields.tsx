import type { ReactNode } from "react";

import { Field } from "../../../ui/field";
import type { Call, CallField, CallInput } from "./api-call";

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
  return (
    <Field label={formatLabel(field)}>
      {(control) => {
        if (field.file) {
          return (
            <input
              {...control}
              className="input"
              type="file"
              accept=".csv,.txt,.xls,.xlsx"
              onChange={(event) => onChange({ file: event.target.files?.[0] ?? null })}
            />
          );
        }
        if (field.values.length > 0) {
          return (
            <select
              {...control}
              className="input"
              value={value}
              onChange={(event) => change(event.target.value)}
            >
              <option value="" />
              {field.values.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          );
        }
        return (
          <input
            {...control}
            className="input"
            value={value}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(event.target.value)}
          />
        );
      }}
    </Field>
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
