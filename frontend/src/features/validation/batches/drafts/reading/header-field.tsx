import { useEffect, useState, type ReactNode } from "react";

import { InputField } from "../../../../../ui/field";

const LAST_ROW = 100;
/** The typing of a number has ended. */
const REST_MS = 500;

function parseRow(text: string): number | null {
  const row = /^\d{1,3}$/.test(text.trim()) ? Number(text) : null;
  return row !== null && row <= LAST_ROW ? row : null;
}

interface HeaderFieldProps {
  /** The row of the file that names its columns; 0: none does. */
  row: number;
  onChange: (row: number) => void;
}

/** Which row of the file names its columns. */
export function HeaderField({ row, onChange }: HeaderFieldProps): ReactNode {
  const [text, setText] = useState(String(row));
  const [seen, setSeen] = useState(row);
  const typed = parseRow(text);
  if (seen !== row) {
    setSeen(row);
    if (typed !== row) setText(String(row));
  }
  const isNew = typed !== null && typed !== row;
  useEffect(() => {
    if (!isNew) return undefined;
    const timer = setTimeout(() => onChange(typed), REST_MS);
    return () => clearTimeout(timer);
  }, [isNew, typed, onChange]);
  return (
    <InputField
      label="Header is row"
      hint="0: there is none"
      error={typed === null ? `A number from 0 to ${LAST_ROW}` : undefined}
      type="number"
      inputMode="numeric"
      min={0}
      max={LAST_ROW}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => {
        if (isNew) onChange(typed);
      }}
    />
  );
}
