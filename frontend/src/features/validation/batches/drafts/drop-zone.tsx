import FileUp from "lucide-react/icons/file-up";
import { useId, useRef, useState, type DragEvent, type ReactNode } from "react";

import { formatBytes } from "../../../../lib/format";
import { FILE_TYPES } from "./upload";

interface DropZoneProps {
  file: File | null;
  onFile: (file: File) => void;
}

/** A file chosen or dropped; says which types and how large. */
export function DropZone({ file, onFile }: DropZoneProps): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const chooseFile = (files: FileList | null) => {
    const [first] = files ?? [];
    if (first) onFile(first);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    chooseFile(event.dataTransfer.files);
  };
  return (
    <>
      <button
        type="button"
        className={over ? "drop drop-over" : "drop"}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileUp size={28} strokeWidth={1.5} aria-hidden />
        {file ? (
          <span className="break">
            <strong>{file.name}</strong> <span className="muted nums">{formatBytes(file.size)}</span>
          </span>
        ) : (
          <strong>Drop a file here or choose one</strong>
        )}
        <span className="hint">.csv, .xlsx, .xls or .txt, up to 10 MB</span>
      </button>
      <label className="visually-hidden" htmlFor={id}>
        File with addresses
      </label>
      <input
        id={id}
        ref={input}
        className="visually-hidden"
        type="file"
        tabIndex={-1}
        accept={FILE_TYPES.join(",")}
        onChange={(event) => {
          chooseFile(event.target.files);
          // So that choosing the same file again counts as a choice.
          event.target.value = "";
        }}
      />
    </>
  );
}
