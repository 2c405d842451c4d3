import FileUp from "lucide-react/icons/file-up";
import type { ReactNode } from "react";

import { formatBytes, formatPercent } from "../../../../lib/format";
import { useOnline } from "../../../../lib/use-online";
import { Button } from "../../../../ui/button";
import { Meter } from "../../../../ui/progress";

const OFFLINE = "You are offline. The upload continues by itself.";

function formatUpload(sent: number, online: boolean): string {
  if (!online) return OFFLINE;
  return sent < 1 ? `Uploading, ${formatPercent(sent)}` : "Uploaded. Reading the file.";
}

interface ChosenFileProps {
  file: File;
  /** The share that has left; null before it is sent. */
  sent: number | null;
  onRemove: () => void;
}

/** A file that was chosen: its name and size, and how much of it has left. */
export function ChosenFile({ file, sent, onRemove }: ChosenFileProps): ReactNode {
  const online = useOnline();
  return (
    <div className="entry-file stack-4">
      <div className="row row-between">
        <p className="row">
          <FileUp size={20} strokeWidth={1.5} aria-hidden />
          <span className="break">
            <strong>{file.name}</strong> <span className="muted nums">{formatBytes(file.size)}</span>
          </span>
        </p>
        <Button kind="quiet" disabled={sent !== null} onClick={onRemove}>
          Remove file
        </Button>
      </div>
      {sent === null ? (
        <p className="hint">
          Next you see how we read it and what it can cost. Nothing is charged before you start.
        </p>
      ) : (
        <div className="stack-2" aria-live="polite">
          <Meter value={sent} label="Upload" />
          <p className={online ? "hint nums" : "notice"}>{formatUpload(sent, online)}</p>
        </div>
      )}
    </div>
  );
}
