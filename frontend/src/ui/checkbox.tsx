import type { ReactNode } from "react";

import { isViewing, VIEW_ONLY } from "./viewing";

interface CheckboxProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A box to tick, with what it means. */
export function Checkbox({ label, hint, checked, onChange }: CheckboxProps): ReactNode {
  const refused = isViewing();
  return (
    <label className="choice" title={refused ? VIEW_ONLY : undefined}>
      <input
        type="checkbox"
        disabled={refused}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {label}
        {hint ? <span className="muted small"> {hint}</span> : null}
      </span>
    </label>
  );
}
