import type { LucideIcon } from "lucide-react";
import Download from "lucide-react/icons/download";
import FileCheck2 from "lucide-react/icons/file-check-corner";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Batch, Category } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { exportPart, FORMATS, TABLES, type Format, type ExportPart } from "./server-export";
import { EMPTY_BATCH } from "./exports";
import { formatNumber, formatCount } from "../../../lib/format";
import {
  CATEGORIES,
  CATEGORY_WORDS,
  DECISIONS,
  DECISION_WORDS,
  getCategoryCount,
  getDecisionCount,
} from "../../../lib/labels";
import { Dialog } from "../../../ui/dialog";
import { SegmentedControl } from "../../../ui/segmented-control";

interface Segment {
  key: string;
  name: string;
  hint?: string;
  count: number;
}

/** The valid ones are among those that are safe, and the traps among those not to send to. */
function isSegment(category: Category): boolean {
  return category !== "valid" && category !== "spam_trap";
}

function listSegments(batch: Batch, format: Format): Segment[] {
  const original = format === "original";
  const count = batch.processed_emails;
  const hint = original
    ? "Each address once, in its first row."
    : "The same lines: every address was checked once, and is listed once.";
  return [
    // All rows of the file are an entry of their own.
    ...(original ? [] : [{ key: "all", name: "All results", count }]),
    { key: "unique", name: "Duplicates removed", hint, count },
    ...DECISIONS.map((key) => ({ key, name: DECISION_WORDS[key], count: getDecisionCount(batch, key) })),
    ...CATEGORIES.filter(isSegment).map((key) => ({
      key,
      name: CATEGORY_WORDS[key],
      count: getCategoryCount(batch, key),
    })),
  ];
}

interface DownloadEntryProps {
  icon: LucideIcon;
  name: string;
  hint?: string | undefined;
  count?: number;
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

/** The uploaded file with its results, or a part of the results; each says how many lines it has. */
export function DownloadDialog({ batch, onClose }: { batch: Batch; onClose: () => void }): ReactNode {
  const isFile = batch.batch_type === "file_upload";
  const [format, setFormat] = useState<Format>("csv");
  const saving = useAction((part: ExportPart) => exportPart(batch, part), "Failed to download batch data", {
    done: (name) => `Export completed: ${name}`,
  });
  const choose = ({ key, count }: Segment) => {
    if (count === 0) toast.error(EMPTY_BATCH);
    else saving.mutate({ format, segment: key });
  };
  return (
    <Dialog
      title="Download results"
      description="With verdict, reason and confidence. Formulas in cells are made harmless text."
      onClose={onClose}
    >
      <div className="stack-4">
        {isFile ? (
          <ul className="menu-list">
            <DownloadEntry
              icon={FileCheck2}
              name="Original file with results"
              hint={`Every row as you uploaded it, ${formatCount(batch.duplicates_removed, "duplicate")} included, with the verdicts in new columns`}
              busy={saving.isPending}
              onPress={() => saving.mutate({ format: "original", segment: "all" })}
            />
          </ul>
        ) : null}
        <SegmentedControl<Partial<typeof FORMATS>>
          label="Format"
          options={isFile ? FORMATS : TABLES}
          value={format}
          onChange={setFormat}
        />
        <ul className="menu-list" aria-busy={saving.isPending}>
          {listSegments(batch, format).map((segment) => (
            <DownloadEntry
              key={segment.key}
              icon={Download}
              name={segment.name}
              hint={segment.hint}
              count={segment.count}
              busy={saving.isPending}
              onPress={() => choose(segment)}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
