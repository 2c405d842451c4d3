import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Batch } from "../../api/types";
import { authorisedFetch } from "../../lib/client";
import { fileNames } from "../../lib/csv";
import { saveBlob } from "../../lib/download";
import { messageOf } from "../../lib/errors";
import { EMPTY_BATCH } from "../../lib/exports";
import { formatNumber } from "../../lib/format";
import { Dialog } from "../../ui/dialog";

interface Segment {
  key: string;
  name: string;
  count: number;
}

export function segmentsOf(batch: Batch): Segment[] {
  return [
    { key: "all", name: "All results", count: batch.processed_emails },
    { key: "safe", name: "Safe to send", count: batch.safe_to_send_count },
    { key: "risky", name: "Risky to send", count: batch.risky_count },
    { key: "invalid", name: "Invalid", count: batch.invalid_count },
    { key: "catch_all", name: "Catch-all", count: batch.catch_all_count },
    { key: "disposable", name: "Disposable", count: batch.disposable_count },
    { key: "unknown", name: "Unknown", count: batch.unknown_count },
  ];
}

async function download(batch: Batch, segment: string): Promise<string> {
  const query = new URLSearchParams({ format: "csv", segment });
  const address = `${location.origin}/api/validate/batch/${batch.id}/export?${query.toString()}`;
  const response = await authorisedFetch(new Request(address));
  const part = segment === "all" ? "" : `-${segment}`;
  const name = fileNames.batch(`${batch.filename ?? batch.id}${part}`);
  saveBlob(await response.blob(), name);
  return name;
}

/** Which part of the list to download; each says how many lines it has. */
export function DownloadDialog({ batch, onClose }: { batch: Batch; onClose: () => void }): ReactNode {
  const saving = useMutation({
    mutationFn: (segment: string) => download(batch, segment),
    onSuccess: (name) => toast.success(`Export completed: ${name}`),
    onError: (error) => toast.error(messageOf(error, "Failed to download batch data")),
  });
  const choose = ({ key, count }: Segment) => {
    if (count === 0) toast.error(EMPTY_BATCH);
    else saving.mutate(key);
  };
  return (
    <Dialog title="Download results" description="CSV with verdict, reason and confidence." onClose={onClose}>
      <ul className="menu-list">
        {segmentsOf(batch).map((segment) => (
          <li key={segment.key}>
            <button type="button" disabled={saving.isPending} onClick={() => choose(segment)}>
              <Download size={18} aria-hidden />
              <strong className="grow">{segment.name}</strong>
              <span className="muted nums">{formatNumber(segment.count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
