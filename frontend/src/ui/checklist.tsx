import type { ReactNode } from "react";

import { Checkbox } from "./checkbox";

interface Choice<Key> {
  key: Key;
  /** The key itself, unless it has a name. */
  name?: string;
  hint?: string;
}

interface ChecklistProps<Key extends string> {
  legend: string;
  choices: readonly Choice<Key>[];
  chosen: readonly Key[];
  /** Given what is chosen now, in the order it was chosen in. */
  onChange: (chosen: Key[]) => void;
  className?: string;
}

/** Some of several things, by a box each. */
export function Checklist<Key extends string>(props: ChecklistProps<Key>): ReactNode {
  const { legend, choices, chosen, onChange, className = "" } = props;
  return (
    <fieldset className={`choices ${className}`.trim()}>
      <legend>{legend}</legend>
      {choices.map(({ key, name = key, hint }) => (
        <Checkbox
          key={key}
          label={name}
          hint={hint}
          checked={chosen.includes(key)}
          onChange={(on) => onChange(on ? [...chosen, key] : chosen.filter((other) => other !== key))}
        />
      ))}
    </fieldset>
  );
}
