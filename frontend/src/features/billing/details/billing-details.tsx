import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { BillingDetails as Values } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";
import { useForm } from "../../../lib/use-form";
import { EntryField, TextField } from "../../../ui/form";
import { PageForm } from "../../../ui/form-foot";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";

const DETAILS = ["billing-details"];

function DetailsForm({ details }: { details: Values }): ReactNode {
  const form = useForm<Values>({
    defaults: details,
    send: async (body) => {
      const saved = (await readData(api.PUT("/api/organisation/billing", { body }))) as Values;
      queryClient.setQueryData(DETAILS, saved);
      form.set("vat_id", saved.vat_id);
      await queryClient.invalidateQueries({ queryKey: ["me"] });
      toast.success("Billing details saved");
    },
    fallback: "The billing details could not be saved",
    unsent: "billing-details",
    says: "toast",
  });
  return (
    <PageForm form={form} className="stack-4 settings-form" action="Save billing details">
      <TextField
        form={form}
        name="company"
        label="Company (optional)"
        autoComplete="organization"
        maxLength={255}
      />
      <TextField
        form={form}
        name="address"
        label="Address (optional)"
        autoComplete="street-address"
        maxLength={500}
      />
      <EntryField
        form={form}
        name="vat_id"
        label="VAT ID (optional)"
        hint="With the letters of the country, as in DE123456789."
        maxLength={30}
      />
      <TextField
        form={form}
        name="billing_email"
        label="Billing contact (optional)"
        hint="Gets the invoices. Without one they go to the owner."
        type="email"
        autoComplete="email"
        maxLength={254}
      />
      <EntryField form={form} name="purchase_order" label="Purchase order number (optional)" maxLength={50} />
    </PageForm>
  );
}

/** What invoices of the organisation name, and where they go. */
export function BillingDetails(): ReactNode {
  const details = useQuery({
    queryKey: DETAILS,
    queryFn: async () => (await readData(api.GET("/api/organisation/billing"))) as Values,
  });
  return (
    <Section id="billing-details-heading" title="Billing details" card anchor="billing-details">
      <p className="muted">
        Printed on invoices that are issued from now on; those that were issued stay as they are.
      </p>
      <Loaded query={details} fallback="Failed to load the billing details" rows={5}>
        {(found) => <DetailsForm details={found} />}
      </Loaded>
    </Section>
  );
}
