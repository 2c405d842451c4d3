import type { ReactNode } from "react";

type Words = Readonly<Partial<Record<string, string>>>;
type Key<Options extends Words> = keyof Options & string;

interface SegmentedControlProps<Options extends Words> {
  label: string;
  options: Options;
  value: Key<Options>;
  onChange: (value: Key<Options>) => void;
}

/** One of a few, side by side. */
export function SegmentedControl<Options extends Words>(props: SegmentedControlProps<Options>): ReactNode {
  const { label, options, value, onChange } = props;
  return (
    <div className="segments" role="group" aria-label={label}>
      {Object.entries(options).map(([key, words]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onChange(key)}>
          {words}
        </button>
      ))}
    </div>
  );
}

/** What the address says, if it is an option. */
export function findOption<Options extends Words>(
  options: Options,
  value: string | null,
  otherwise: Key<Options>,
): Key<Options> {
  return value !== null && Object.hasOwn(options, value) ? value : otherwise;
}
