import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Contact } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { queryClient } from "../../../lib/query";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Failure, FormBox, TextField } from "../../../ui/form";
import { DEALS, isAmount } from "../labels";
import { reloadMessages } from "./use-messages";

const EMPTY = { companyName: "", dealValue: "", expectedCloseDate: "" };

function checkValues(values: typeof EMPTY): Partial<typeof EMPTY> {
  const wrong: Partial<typeof EMPTY> = {};
  if (values.companyName.trim() === "") wrong.companyName = "Enter the company's name";
  if (!isAmount(values.dealValue)) wrong.dealValue = "Enter an amount in US dollars, 0 or more";
  if (values.expectedCloseDate === "") wrong.expectedCloseDate = "Choose a date";
  return wrong;
}

/** Makes a deal of a message; who wrote it is the contact, and what was written the notes. */
export function DealFromMessage({ message, onClose }: { message: Contact; onClose: () => void }): ReactNode {
  const form = useForm({
    defaults: EMPTY,
    check: checkValues,
    send: async (values) => {
      const params = { path: { message_id: message.id } };
      try {
        const made = await readData(
          api.POST("/api/admin/contacts/{message_id}/deal", { params, body: values }),
        );
        toast.success(made.message);
      } catch (error) {
        toast.error("Failed to create deal", { description: getErrorMessage(error, "") });
        throw error;
      }
      void reloadMessages();
      void queryClient.invalidateQueries({ queryKey: ["admin", ...DEALS] });
      onClose();
    },
    fallback: "Failed to create deal",
  });
  return (
    <Dialog
      title="Make a deal"
      description={`${message.name} (${message.email}) becomes the contact, the message the notes.`}
      onClose={onClose}
    >
      <FormBox form={form}>
        <TextField
          form={form}
          name="companyName"
          label="Company name"
          maxLength={255}
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name="dealValue"
          label="Deal value (USD)"
          type="number"
          min={0}
          step="0.01"
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <TextField form={form} name="expectedCloseDate" label="Expected close date" type="date" required />
        <Failure>{form.failure}</Failure>
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            Create deal
          </Button>
        </div>
      </FormBox>
    </Dialog>
  );
}
