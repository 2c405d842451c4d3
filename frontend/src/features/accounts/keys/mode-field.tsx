import type { ReactNode } from "react";

import { RadioField } from "../../../ui/radio-field";

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
  return <RadioField legend="Mode" name="mode" options={modes} value={test} onChange={onChange} />;
}
