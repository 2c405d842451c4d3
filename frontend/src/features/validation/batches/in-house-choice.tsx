import type { ReactNode } from "react";

interface InHouseChoiceProps {
  /** Those that could be sent addresses of the list. */
  providers: readonly string[];
  checked: boolean;
  onChange: (inHouse: boolean) => void;
}

/** Whether outside providers may see the addresses of a list, and which (SET-060). */
export function InHouseChoice({ providers, checked, onChange }: InHouseChoiceProps): ReactNode {
  return (
    <div className="stack-1">
      <label className="draft-check">
        <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
        Keep the addresses with us
      </label>
      <p className="hint">
        {providers.length === 0
          ? "No outside provider is asked for your plan: our own servers make every check, and nobody else sees the addresses. Your choice is kept with the list."
          : `Otherwise addresses that we cannot settle ourselves may be sent to ${providers.join(", ")}. Each result says who received its address.`}
      </p>
    </div>
  );
}
