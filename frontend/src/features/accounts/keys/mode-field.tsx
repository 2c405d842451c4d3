import type { ReactNode } from "react";

interface ModeFieldProps {
  test: boolean;
  onChange: (test: boolean) => void;
  /** What each mode means here. */
  live: string;
  trial: string;
}

/** Whether something belongs to live mode or to test mode; chosen once, when it is made. */
export function ModeField({ test, onChange, live, trial }: ModeFieldProps): ReactNode {
  const modes = [
    [false, "Live", live],
    [true, "Test", trial],
  ] as const;
  return (
    <fieldset className="choices">
      <legend>Mode</legend>
      {modes.map(([value, word, hint]) => (
        <label key={word} className="choice">
          <input type="radio" name="mode" checked={test === value} onChange={() => onChange(value)} />
          <span>
            {word} <span className="muted small">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
