import { useState, type ReactNode } from "react";

import type { Delimiter, Draft, DraftChoices } from "../../../../../api/types";
import { formatPercent, formatCount } from "../../../../../lib/format";
import { Button } from "../../../../../ui/button";
import { FieldError } from "../../../../../ui/field";
import { SelectField } from "../../../../../ui/select";
import { getColumns } from "../decisions";
import { HeaderField } from "./header-field";

const COLUMNS_AT_FIRST = 12;

const DELIMITERS = [
  [",", "Comma"],
  [";", "Semicolon"],
  ["\t", "Tab"],
  ["|", "Vertical bar"],
  ["", "None: one address a line"],
] as const;

const ENCODINGS = [
  ["utf-8", "UTF-8"],
  ["utf-16-le", "UTF-16 LE"],
  ["utf-16-be", "UTF-16 BE"],
  ["cp1252", "Western (Windows-1252)"],
  ["iso8859-1", "Western (ISO 8859-1)"],
  ["iso8859-15", "Western (ISO 8859-15)"],
  ["cp1250", "Central European (Windows-1250)"],
  ["iso8859-2", "Central European (ISO 8859-2)"],
  ["cp1251", "Cyrillic (Windows-1251)"],
  ["koi8-r", "Cyrillic (KOI8-R)"],
  ["cp1253", "Greek (Windows-1253)"],
  ["cp1254", "Turkish (Windows-1254)"],
  ["cp1255", "Hebrew (Windows-1255)"],
  ["cp1256", "Arabic (Windows-1256)"],
  ["cp1257", "Baltic (Windows-1257)"],
  ["mac-roman", "Western (Mac)"],
  ["shift_jis", "Japanese (Shift JIS)"],
  ["gb18030", "Chinese (GB 18030)"],
  ["big5", "Chinese (Big5)"],
  ["euc_kr", "Korean (EUC-KR)"],
] as const;

interface StepProps {
  draft: Draft;
  busy: boolean;
  onChoose: (choices: DraftChoices) => void;
}

/** How the file is read: sheet, header, encoding, delimiter. */
function FormatFields({ draft, onChoose }: StepProps): ReactNode {
  const sheets = draft.sheets.map(({ name, rows }) => {
    const words = rows === null ? name : `${name} (${formatCount(rows, "row")})`;
    return [name, words] as const;
  });
  return (
    <div className="draft-format">
      {sheets.length > 1 ? (
        <SelectField
          label="Sheet"
          value={draft.sheet}
          options={sheets}
          onChange={(sheet) => onChoose({ sheet })}
        />
      ) : null}
      {draft.encoding === null ? null : (
        <SelectField
          label="Encoding"
          value={draft.encoding}
          options={ENCODINGS}
          onChange={(encoding) => onChoose({ encoding })}
        />
      )}
      {draft.delimiter === null ? null : (
        <SelectField
          label="Delimiter"
          value={draft.delimiter}
          options={DELIMITERS}
          onChange={(delimiter) => onChoose({ delimiter: delimiter as Delimiter })}
        />
      )}
      <HeaderField row={draft.header_row} onChange={(row) => onChoose({ header_row: row })} />
    </div>
  );
}

type Column = Draft["sheets"][number]["columns"][number];

/** email (column C) */
export function formatColumn({ name, letter }: Pick<Column, "name" | "letter">): string {
  const place = `column ${letter}`;
  return name.toLowerCase() === place.toLowerCase() ? name : `${name} (${place})`;
}

interface ColumnChoiceProps {
  column: Column;
  number: string;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}

function ColumnChoice({ column, number, checked, disabled, onChange }: ColumnChoiceProps): ReactNode {
  const { samples, looks_like_email: share } = column;
  return (
    <label className={checked ? "column-choice column-chosen" : "column-choice"}>
      <input
        type="checkbox"
        value={number}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="column-name">
        <strong className="break">{formatColumn(column)}</strong>
        <span className="hint nums">
          {share > 0 ? `${formatPercent(share)} look like addresses` : "No addresses"}
        </span>
      </span>
      <span className="column-samples mono">
        {samples.length > 0 ? samples.map((sample, index) => <span key={index}>{sample}</span>) : "empty"}
      </span>
    </label>
  );
}

const MOST_COLUMNS = 10;

/** Which columns hold the addresses, each with five of its values. */
function Columns({ draft, none, onNone, onChoose }: ColumnsProps): ReactNode {
  const [all, setAll] = useState(false);
  const ticked = none ? [] : draft.email_columns;
  const numbered = getColumns(draft).map((column, index) => ({ column, number: String(index + 1) }));
  const shown = numbered.filter(
    ({ column, number }, index) =>
      all || index < COLUMNS_AT_FIRST || column.likely || ticked.includes(number),
  );
  const tick = (number: string, checked: boolean) => {
    const left = ticked.filter((other) => other !== number);
    const columns = checked ? [...left, number].sort((one, other) => Number(one) - Number(other)) : left;
    onNone(columns.length === 0);
    if (columns.length > 0) onChoose({ email_columns: columns });
  };
  return (
    <fieldset className="columns-choice">
      <legend>E-mail columns</legend>
      {shown.map(({ column, number }) => (
        <ColumnChoice
          key={number}
          column={column}
          number={number}
          checked={ticked.includes(number)}
          disabled={ticked.length >= MOST_COLUMNS && !ticked.includes(number)}
          onChange={(checked) => tick(number, checked)}
        />
      ))}
      {shown.length < numbered.length ? (
        <Button kind="quiet" onClick={() => setAll(true)}>
          Show all {numbered.length} columns
        </Button>
      ) : null}
    </fieldset>
  );
}

export interface ColumnsProps extends StepProps {
  /** Whether no column is ticked: what was ticked last is still what the file was read by. */
  none: boolean;
  onNone: (none: boolean) => void;
}

/** The first step: how the list was understood; every guess can be changed in place. */
export function ColumnsStep(props: ColumnsProps): ReactNode {
  const { draft, none } = props;
  return (
    <div className="stack" aria-busy={props.busy}>
      <FormatFields {...props} />
      <div className="stack-2">
        <Columns {...props} />
        {none ? <FieldError>Tick the column that holds the addresses.</FieldError> : null}
        <p className="hint">
          Each address is checked and charged once, in however many columns it stands; up to {MOST_COLUMNS}{" "}
          columns.
          {draft.header_row > 1 ? ` ${describeTitleRows(draft.header_row)}` : ""}
        </p>
      </div>
    </div>
  );
}

/** What becomes of the rows above the header. */
function describeTitleRows(headerRow: number): string {
  const rows =
    headerRow === 2 ? "Row 1 is a title row: it is" : `Rows 1 to ${headerRow - 1} are title rows: they are`;
  return `${rows} not checked, and ${headerRow === 2 ? "comes" : "come"} back on top of the original file.`;
}
