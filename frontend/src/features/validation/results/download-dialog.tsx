import type { LucideIcon } from "lucide-react";
import Download from "lucide-react/icons/download";
import FileCheck2 from "lucide-react/icons/file-check-corner";
import FolderArchive from "lucide-react/icons/folder-archive";
import { useState, type ReactNode } from "react";

import type { BatchDetail } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { formatNumber, formatCount } from "../../../lib/format";
import { Dialog } from "../../../ui/dialog";
import { Field } from "../../../ui/field";
import { hasEnded } from "../batches/progress/list-stage";
import { buildOptionsPart, DownloadOptions, NO_OPTIONS, type Options } from "./download-options";
import { EMPTY_SEGMENT, listSegments, type Segment } from "./segments";
import { exportPart, PROGRAMS, TABLES, type ExportPart, type Format } from "./server-export";

interface DownloadEntryProps {
  icon: LucideIcon;
  name: string;
  hint?: string | undefined;
  count?: number | null;
  busy: boolean;
  onPress: () => void;
}

function DownloadEntry({ icon: Icon, name, hint, count, busy, onPress }: DownloadEntryProps): ReactNode {
  return (
    <li>
      <button type="button" disabled={busy} onClick={onPress}>
        <Icon size={18} aria-hidden />
        <span className="grow">
          <strong>{name}</strong>
          {hint ? <span className="hint entry-hint">{hint}</span> : null}
        </span>
        {count === undefined ? null : <span className="muted nums">{formatNumber(count)}</span>}
      </button>
    </li>
  );
}

function isFile(batch: BatchDetail): boolean {
  return batch.batch_type === "file_upload";
}

/** What the uploaded file comes back as. */
function describeOriginal({ duplicates_removed, filename }: BatchDetail): string {
  const rows = `Every row as you uploaded it, ${formatCount(duplicates_removed, "duplicate")} included, with the verdicts in new columns`;
  return filename?.toLowerCase().endsWith(".xls") ? `${rows}. An .xls file comes back as .xlsx` : rows;
}

interface ExportsProps {
  batch: BatchDetail;
  busy: boolean;
  save: (part: ExportPart) => void;
}

/** What most people want, one press each. */
function WholeList({ batch, busy, save }: ExportsProps): ReactNode {
  return (
    <ul className="menu-list">
      {isFile(batch) ? (
        <DownloadEntry
          icon={FileCheck2}
          name="Original file with results"
          hint={describeOriginal(batch)}
          busy={busy}
          onPress={() => save({ format: "original", segment: "all" })}
        />
      ) : null}
      {hasEnded(batch.status) ? (
        <DownloadEntry
          icon={FolderArchive}
          name="All in one zip"
          hint="Three CSV files: to send to, to review, to suppress"
          busy={busy}
          onPress={() => save({ format: "zip", segment: "all" })}
        />
      ) : null}
    </ul>
  );
}

interface FormatFieldProps {
  batch: BatchDetail;
  value: Format;
  onChange: (format: Format) => void;
}

function FormatOptions({ formats }: { formats: Record<string, string> }): ReactNode {
  return Object.entries(formats).map(([key, words]) => (
    <option key={key} value={key}>
      {words}
    </option>
  ));
}

/** Tables, the file as it was, and what programs for newsletters import. */
function FormatField({ batch, value, onChange }: FormatFieldProps): ReactNode {
  const hint = value in PROGRAMS ? "Imports without mapping, with names and other columns of your file." : "";
  return (
    <Field label="Format" hint={hint}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={value}
          onChange={(event) => onChange(event.target.value as Format)}
        >
          <optgroup label="Tables">
            <FormatOptions formats={TABLES} />
          </optgroup>
          {isFile(batch) ? (
            <optgroup label="Your file">
              <FormatOptions formats={{ original: "As uploaded" }} />
            </optgroup>
          ) : null}
          <optgroup label="Export for">
            <FormatOptions formats={PROGRAMS} />
          </optgroup>
        </select>
      )}
    </Field>
  );
}

function describeSegment({ hint, count }: Segment): string | undefined {
  return count === 0 ? EMPTY_SEGMENT : hint;
}

/** A part of the results; each says how many lines it has. */
function PartOfList({ batch, busy, save }: ExportsProps): ReactNode {
  const [format, setFormat] = useState<Format>("csv");
  return (
    <section className="stack-4" aria-labelledby="download-part">
      <h3 id="download-part">A part of the results</h3>
      <FormatField batch={batch} value={format} onChange={setFormat} />
      <ul className="menu-list" aria-busy={busy}>
        {listSegments(batch, format).map((segment) => (
          <DownloadEntry
            key={segment.key}
            icon={Download}
            name={segment.name}
            hint={describeSegment(segment)}
            count={segment.count}
            busy={busy}
            onPress={() => save({ format, segment: segment.key })}
          />
        ))}
      </ul>
    </section>
  );
}

/** The uploaded file with its results, or all or a part of the results. */
export function DownloadDialog({ batch, onClose }: { batch: BatchDetail; onClose: () => void }): ReactNode {
  const [options, setOptions] = useState<Options>(NO_OPTIONS);
  const saving = useAction((part: ExportPart) => exportPart(batch, part), "Failed to download batch data", {
    done: (name) => `Export completed: ${name}`,
    // The warning is for one download.
    onDone: () => setOptions((chosen) => ({ ...chosen, raw: false })),
  });
  const save = (part: ExportPart) => saving.mutate({ ...part, ...buildOptionsPart(options, part.format) });
  const exports = { batch, busy: saving.isPending, save };
  return (
    <Dialog title="Download results" description="With verdict, reason and confidence." onClose={onClose}>
      <div className="stack-4">
        <WholeList {...exports} />
        <DownloadOptions batch={batch} options={options} onChange={setOptions} />
        <PartOfList {...exports} />
      </div>
    </Dialog>
  );
}
