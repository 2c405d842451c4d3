import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Contact } from "../../../api/types";
import { reloadAdmin } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { TextField } from "../../../ui/form";
import { DEALS, isAmount } from "../labels";
import { reloadMessages } from "./use-messages";
import { FormDialog } from "../../../ui/form-dialog";
import { AmountField, CompanyField } from "../fields";

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
      const made = await readData(
        api.POST("/api/admin/contacts/{message_id}/deal", { params, body: values }),
      );
      toast.success(made.message);
      void reloadMessages();
      void reloadAdmin(...DEALS);
      onClose();
    },
    fallback: "Failed to create deal",
    says: "described",
  });
  return (
    <FormDialog
      title="Make a deal"
      description={`${message.name} (${message.email}) becomes the contact, the message the notes.`}
      onClose={onClose}
      form={form}
      action="Create deal"
    >
      <CompanyField form={form} name="companyName" />
      <AmountField form={form} name="dealValue" label="Deal value (USD)" />
      <TextField form={form} name="expectedCloseDate" label="Expected close date" type="date" required />
    </FormDialog>
  );
}
