import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { ProviderFigures } from "../../../api/types";
import { reloadAdmin } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { Checkbox } from "../../../ui/checkbox";
import { TextField } from "../../../ui/form";
import { PROVIDER_STATS } from "./queries";
import { FormDialog } from "../../../ui/form-dialog";

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
      await reloadAdmin(...PROVIDER_STATS);
    },
    fallback: "Failed to save",
  });
  return (
    <FormDialog title={`Change ${name}`} onClose={onClose} form={form} action="Save">
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
    </FormDialog>
  );
}
