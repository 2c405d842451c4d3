import Download from "lucide-react/icons/download";
import type { ReactNode } from "react";

import type { Batch } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { Button } from "../../../ui/button";
import { exportPart, PROGRAMS, TABLES, type ExportPart, type Format } from "../results/server-export";

interface FormatButtonsProps {
  batch: Batch;
  /** The addresses, in words: "safe addresses". */
  what: string;
  part: Omit<ExportPart, "format">;
  /** The card's own: its first format is the one that most people take. */
  primary?: boolean;
}

const FORMATS = Object.entries({ ...TABLES, ...PROGRAMS }) as [Format, string][];

/** One button for each format in which some addresses can be taken away. */
export function FormatButtons({ batch, what, part, primary = false }: FormatButtonsProps): ReactNode {
  const saving = useAction(
    (format: Format) => exportPart(batch, { ...part, format }),
    "Failed to download batch data",
    { done: (name) => `Export completed: ${name}` },
  );
  return (
    <ul className="row format-buttons" aria-label={`Download ${what}`}>
      {FORMATS.map(([format, words]) => (
        <li key={format}>
          <Button
            kind={primary && format === "csv" ? "primary" : "plain"}
            busy={saving.isPending && saving.variables === format}
            changes={false}
            aria-label={`Download ${what} ${format in PROGRAMS ? "for" : "as"} ${words}`}
            onClick={() => saving.mutate(format)}
          >
            {format === "csv" ? <Download size={16} aria-hidden /> : null}
            {words}
          </Button>
        </li>
      ))}
    </ul>
  );
}
