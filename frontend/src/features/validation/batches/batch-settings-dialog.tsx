import { useState, type ReactNode } from "react";

import type { Batch } from "../../../api/types";
import { getErrorMessage } from "../../../lib/errors";
import { formatDateTime } from "../../../lib/format";
import { changeBatch, KEPT_DAYS_OPTIONS, parseKeptDays, refreshBatch, type DaysKey } from "../calls";
import { useAction } from "../../../lib/use-action";
import { ActDialog } from "../../../ui/dialog";
import { InputField } from "../../../ui/field";
import { ValidationFailure } from "../validation-failure";
import { SelectField } from "../../../ui/select";

const FALLBACK = "The batch could not be changed";

function describeRetention(batch: Batch): string {
  if (batch.expired_at) return `The results were removed on ${formatDateTime(batch.expired_at)}.`;
  if (batch.expires_at)
    return `They will be removed on ${formatDateTime(batch.expires_at)}. The counts stay.`;
  return "Counted from the end of the batch. The counts stay.";
}

/** What a batch is called, and how long its results are kept. */
export function BatchSettingsDialog({ batch, onClose }: { batch: Batch; onClose: () => void }): ReactNode {
  const [name, setName] = useState(batch.filename ?? "");
  const [days, setDays] = useState<DaysKey | "">("");
  const save = () =>
    changeBatch(batch.batch_id, { name, ...(days ? { retention_days: parseKeptDays(days) } : {}) });
  const saving = useAction(save, FALLBACK, {
    done: () => "Batch changed",
    says: "here",
    onDone: () => {
      refreshBatch(batch.batch_id);
      onClose();
    },
  });
  return (
    <ActDialog
      title="Rename or keep longer"
      action="Save"
      busy={saving.isPending}
      onAct={() => saving.mutate()}
      onClose={onClose}
    >
      <div className="stack-4">
        <InputField
          label="Name"
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label="Keep results for"
          hint={describeRetention(batch)}
          value={days}
          options={[["", "No change"], ...KEPT_DAYS_OPTIONS]}
          onChange={setDays}
        />
        {saving.isError ? (
          <ValidationFailure message={getErrorMessage(saving.error, FALLBACK)} error={saving.error} />
        ) : null}
      </div>
    </ActDialog>
  );
}
