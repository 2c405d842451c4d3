import { useState, type ReactNode } from "react";

import type { Delimiter, Draft, DraftChoices } from "../../../../api/types";
import { formatPercent, formatCount } from "../../../../lib/format";
import { Button } from "../../../../ui/button";
import { SelectField } from "../../../../ui/select";

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
      <label className="draft-check">
        <input
          type="checkbox"
          checked={draft.has_header}
          onChange={(event) => onChoose({ has_header: event.target.checked })}
        />
        The first row is a header
      </label>
    </div>
  );
}

type Column = Draft["sheets"][number]["columns"][number];

function ColumnChoice(props: {
  column: Column;
  number: string;
  checked: boolean;
  onChoose: () => void;
}): ReactNode {
  const { column, number, checked, onChoose } = props;
  const { name, samples, looks_like_email: likely } = column;
  return (
    <label className={checked ? "column-choice column-chosen" : "column-choice"}>
      <input type="radio" name="email-column" value={number} checked={checked} onChange={onChoose} />
      <span className="column-name">
        <strong className="break">{name}</strong>
        <span className="hint nums">
          {likely > 0 ? `${formatPercent(likely)} look like addresses` : "No addresses"}
        </span>
      </span>
      <span className="column-samples mono">
        {samples.length > 0 ? samples.map((sample, index) => <span key={index}>{sample}</span>) : "empty"}
      </span>
    </label>
  );
}

/** Which column holds the addresses, each with five of its values. */
function Columns({ draft, onChoose }: StepProps): ReactNode {
  const [all, setAll] = useState(false);
  const columns = draft.sheets.find(({ name }) => name === draft.sheet)?.columns ?? [];
  const numbered = columns.map((column, index) => ({ column, number: String(index + 1) }));
  const shown = numbered.filter(
    ({ number }, index) => all || index < COLUMNS_AT_FIRST || number === draft.email_column,
  );
  return (
    <fieldset className="columns-choice">
      <legend>E-mail column</legend>
      {shown.map(({ column, number }) => (
        <ColumnChoice
          key={number}
          column={column}
          number={number}
          checked={number === draft.email_column}
          onChoose={() => onChoose({ email_column: number })}
        />
      ))}
      {shown.length < columns.length ? (
        <Button kind="quiet" onClick={() => setAll(true)}>
          Show all {columns.length} columns
        </Button>
      ) : null}
    </fieldset>
  );
}

/** The first step: how the file was understood; every guess can be changed in place. */
export function ColumnsStep(props: StepProps): ReactNode {
  return (
    <div className="stack" aria-busy={props.busy}>
      <FormatFields {...props} />
      <Columns {...props} />
    </div>
  );
}
