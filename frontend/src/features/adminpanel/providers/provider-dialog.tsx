import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { ProviderFigures } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Checkbox } from "../../../ui/checkbox";
import { Dialog } from "../../../ui/dialog";
import { Failure, FormBox, TextField } from "../../../ui/form";
import { PROVIDER_STATS } from "./queries";

interface Values {
  budget: string;
}

const MOST = 10_000_000;

function checkValues({ budget }: Values): Partial<Values> {
  const questions = Number(budget);
  const isFine = budget === "" || (Number.isInteger(questions) && questions >= 0 && questions <= MOST);
  return isFine ? {} : { budget: "Enter a whole number, or leave it empty." };
}

interface ProviderDialogProps {
  name: string;
  figures: ProviderFigures;
  onClose: () => void;
}

/** The switch and the daily budget of an outside provider. */
export function ProviderDialog({ name, figures, onClose }: ProviderDialogProps): ReactNode {
  const [enabled, setEnabled] = useState(figures.enabled);
  const form = useForm<Values>({
    defaults: { budget: figures.daily_budget === null ? "" : String(figures.daily_budget) },
    check: checkValues,
    send: async ({ budget }) => {
      const params = { path: { name } };
      const body = { enabled, daily_budget: budget === "" ? null : Number(budget) };
      await readData(api.PUT("/api/admin/api-credits/{name}", { params, body }));
      toast.success(`${name} saved`);
      onClose();
      await queryClient.invalidateQueries({ queryKey: ["admin", ...PROVIDER_STATS] });
    },
    fallback: "Failed to save",
  });
  return (
    <Dialog title={`Change ${name}`} onClose={onClose}>
      <FormBox form={form}>
        <Checkbox
          label={`Ask ${name}`}
          hint="Off: nothing is sent there, and lists go on without it"
          checked={enabled}
          onChange={setEnabled}
        />
        <TextField
          form={form}
          name="budget"
          label="Questions a day"
          hint="From midnight to midnight UTC. Empty: any number. 0: none."
          inputMode="numeric"
        />
        <Failure>{form.failure}</Failure>
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            Save
          </Button>
        </div>
      </FormBox>
    </Dialog>
  );
}
