import type { ReactNode } from "react";

interface CheckboxProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A box to tick, with what it means. */
export function Checkbox({ label, hint, checked, onChange }: CheckboxProps): ReactNode {
  return (
    <label className="choice">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label}
        {hint ? <span className="muted small"> {hint}</span> : null}
      </span>
    </label>
  );
}
