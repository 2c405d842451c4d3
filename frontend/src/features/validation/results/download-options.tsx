import type { ReactNode } from "react";

import type { BatchDetail } from "../../../api/types";
import { Checkbox } from "../../../ui/checkbox";
import { SelectField } from "../../../ui/select";
import type { ExportPart, Format } from "./server-export";

/** The columns that the original file gains, by what each says. */
const COLUMNS = {
  email_checked: "Address as checked",
  category: "Category",
  reason: "Reason",
  reason_text: "Reason in words",
  confidence: "Confidence",
  label: "Label",
  did_you_mean: "Address that was probably meant",
  is_role: "Role address",
  is_free: "Free mail provider",
  mx_host: "Mail host",
} as const;
type Column = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as readonly Column[];

export interface Options {
  leftOut: readonly Column[];
  raw: boolean;
  /** The column by whose address a row belongs to a segment; the first one that was checked without it. */
  segmentColumn: string;
}

export const NO_OPTIONS: Options = { leftOut: [], raw: false, segmentColumn: "" };
const WARNING = "Programs that run formulas may run these cells";

/** What a call says of the options, as far as the format has them. */
export function buildOptionsPart(options: Options, format: Format): Partial<ExportPart> {
  const formulas = options.raw ? ("raw" as const) : undefined;
  if (format !== "original") return { formulas };
  const kept = NAMES.filter((name) => !options.leftOut.includes(name));
  return {
    formulas,
    columns: kept.length === NAMES.length ? undefined : kept.join(","),
    segment_column: options.segmentColumn || undefined,
  };
}

/** A column as spreadsheets name it: C, AA. */
export function formatColumn(number: number): string {
  const rest = Math.floor((number - 1) / 26);
  return (rest > 0 ? formatColumn(rest) : "") + String.fromCharCode(65 + ((number - 1) % 26));
}

interface DownloadOptionsProps {
  batch: BatchDetail;
  options: Options;
  onChange: (options: Options) => void;
}

function ColumnChoices({ options, onChange }: Omit<DownloadOptionsProps, "batch">): ReactNode {
  const { leftOut } = options;
  const toggle = (name: Column, kept: boolean) => {
    const left = kept ? leftOut.filter((other) => other !== name) : [...leftOut, name];
    // One stays: a file without any would be the one that was uploaded.
    if (left.length < NAMES.length) onChange({ ...options, leftOut: left });
  };
  return (
    <fieldset className="choices">
      <legend>Columns that your file gains</legend>
      {NAMES.map((name) => (
        <Checkbox
          key={name}
          label={COLUMNS[name]}
          hint={name}
          checked={!leftOut.includes(name)}
          onChange={(kept) => toggle(name, kept)}
        />
      ))}
    </fieldset>
  );
}

function SegmentColumn({ batch, options, onChange }: DownloadOptionsProps): ReactNode {
  if (batch.email_columns.length < 2) return null;
  const columns = batch.email_columns.map((number): [string, string] => [
    `${number}`,
    `Column ${formatColumn(number)}`,
  ]);
  return (
    <SelectField
      label="A row belongs to a part of the results by the address in"
      value={options.segmentColumn || `${batch.email_columns[0]}`}
      options={columns}
      onChange={(segmentColumn) => onChange({ ...options, segmentColumn })}
    />
  );
}

/** What few people change, folded away. */
export function DownloadOptions({ batch, options, onChange }: DownloadOptionsProps): ReactNode {
  const { raw } = options;
  return (
    <details className="technical">
      <summary>Columns and formulas</summary>
      <div className="stack-4">
        {batch.batch_type === "file_upload" ? (
          <>
            <ColumnChoices options={options} onChange={onChange} />
            <SegmentColumn batch={batch} options={options} onChange={onChange} />
          </>
        ) : null}
        <Checkbox
          label="Leave formulas as they are"
          hint="Else a cell that a program could run gets an apostrophe before it."
          checked={raw}
          onChange={(checked) => onChange({ ...options, raw: checked })}
        />
        {raw ? (
          <p className="notice" role="status">
            {WARNING}
          </p>
        ) : null}
      </div>
    </details>
  );
}
