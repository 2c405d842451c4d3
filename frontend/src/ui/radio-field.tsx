import type { ReactNode } from "react";

interface RadioFieldProps<Value> {
  legend: string;
  name: string;
  /** Each with its words, and what it means. */
  options: readonly (readonly [value: Value, words: string, hint?: string])[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One of a few, one below the other. */
export function RadioField<Value>({
  legend,
  name,
  options,
  value,
  onChange,
}: RadioFieldProps<Value>): ReactNode {
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {options.map(([key, words, hint]) => (
        <label key={words} className="choice">
          <input type="radio" name={name} checked={key === value} onChange={() => onChange(key)} />
          <span>
            {words}
            {hint ? <span className="muted small"> {hint}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
