import { useId, useRef, type ReactNode } from "react";

import { Button } from "../../../../ui/button";
import { FILE_TYPES } from "../drafts/upload";

interface FileChooserProps {
  disabled: boolean;
  onFiles: (files: File[]) => void;
}

/** The way to a file for who does not drop one. */
export function FileChooser({ disabled, onFiles }: FileChooserProps): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button disabled={disabled} onClick={() => input.current?.click()}>
        Choose a file
      </Button>
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
          onFiles([...(event.target.files ?? [])]);
          // So that choosing the same file again counts as a choice.
          event.target.value = "";
        }}
      />
    </>
  );
}
