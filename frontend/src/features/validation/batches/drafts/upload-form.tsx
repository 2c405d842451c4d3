import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { Draft } from "../../../../api/types";
import { saveCsv } from "../../../../lib/download";
import { formatPercent } from "../../../../lib/format";
import { getFileRefusal, uploadFile, describeUploadFailure } from "./upload";
import { Button } from "../../../../ui/button";
import { FieldError } from "../../../../ui/field";
import { Meter } from "../../../../ui/progress";
import { SAMPLE } from "../address-list";
import { DropZone } from "./drop-zone";
import { ValidationFailure, toastFailure } from "../../validation-failure";
import { Section } from "../../../../ui/section";

function useUpload(onDraft: (draft: Draft) => void) {
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState(0);
  const upload = useMutation({
    mutationFn: (chosen: File) => uploadFile(chosen, setSent),
    onMutate: () => setSent(0),
    onSuccess: (draft) => {
      setFile(null);
      onDraft(draft);
    },
    onError: (error) => toastFailure(describeUploadFailure(error), error),
  });
  const choose = (chosen: File) => {
    upload.reset();
    const reason = getFileRefusal(chosen);
    setRefusal(reason);
    setFile(reason ? null : chosen);
  };
  const submit = () => {
    if (file) upload.mutate(file);
    else setRefusal((reason) => reason ?? "Choose a file first");
  };
  const remove = () => {
    upload.reset();
    setFile(null);
  };
  return { file, refusal, sent, upload, choose, remove, submit };
}

function UploadProgress({ sent }: { sent: number }): ReactNode {
  return (
    <div className="stack-2" aria-live="polite">
      <Meter value={sent} label="Upload" />
      <p className="hint nums">
        {sent < 1 ? `Uploading, ${formatPercent(sent)}` : "Uploaded. Reading the file."}
      </p>
    </div>
  );
}

interface UploadFormProps {
  sandbox: boolean;
  onDraft: (draft: Draft) => void;
}

export function UploadForm({ sandbox, onDraft }: UploadFormProps): ReactNode {
  const { file, refusal, sent, upload, choose, remove, submit } = useUpload(onDraft);
  const saveSample = () => saveCsv(`email\n${SAMPLE}\n`, "sample.csv");
  return (
    <Section id="upload-title" title="Upload a file" card>
      <div className="stack-1">
        <DropZone file={file} onFile={choose} />
        <p className="hint">
          Next you see how we read it and what it can cost. Nothing is charged before you start.
        </p>
      </div>
      {refusal ? <FieldError>{refusal}</FieldError> : null}
      {upload.isPending ? <UploadProgress sent={sent} /> : null}
      {upload.isError ? (
        <ValidationFailure message={describeUploadFailure(upload.error)} error={upload.error} />
      ) : null}
      <div className="row">
        <Button busy={upload.isPending} onClick={submit}>
          Continue
        </Button>
        {file ? (
          <Button kind="quiet" disabled={upload.isPending} onClick={remove}>
            Remove file
          </Button>
        ) : null}
        {sandbox ? (
          <Button kind="quiet" onClick={saveSample}>
            Download a sample file
          </Button>
        ) : null}
      </div>
    </Section>
  );
}
