import type { ReactNode } from "react";
import { toast } from "sonner";

import { api, readData, withIdempotencyKey } from "../../lib/client";
import { queryClient } from "../../lib/query";
import { OWN_REQUESTS, parseCredits } from "./quote-states";
import { useForm } from "../../lib/use-form";
import { AreaField, TextField, EntryField } from "../../ui/form";
import { PageForm } from "../../ui/form-foot";
import { Section } from "../../ui/section";

const NO_NUMBER = "Please enter a valid number of credits.";
const EMPTY = { credits_needed: "", company_name: "", notes: "" };

type Values = typeof EMPTY;

async function sendRequest({ credits_needed, company_name, notes }: Values): Promise<void> {
  const body = { credits_needed: parseCredits(credits_needed), company_name, notes };
  const { message } = await readData(
    api.POST("/api/quotes/request-custom", { body, ...withIdempotencyKey() }),
  );
  toast.success(message);
}

interface RequestFormProps {
  /** Whether this is what the page is for now: not while a quote waits to be paid. */
  first: boolean;
}

/** Asks for a price for an amount of credits. */
export function RequestForm({ first }: RequestFormProps): ReactNode {
  const form = useForm<Values>({
    defaults: EMPTY,
    check: ({ credits_needed }) =>
      (parseCredits(credits_needed) ?? 0) < 1 ? { credits_needed: NO_NUMBER } : {},
    send: async (values) => {
      await sendRequest(values);
      void queryClient.invalidateQueries({ queryKey: OWN_REQUESTS });
      form.set("credits_needed", "");
      form.set("company_name", "");
      form.set("notes", "");
    },
    fallback: "Failed to submit request",
    says: "toast",
    unsent: "quote-request",
  });
  return (
    <Section id="quote-request-heading" title="Request a custom quote" card className="quote-request">
      <PageForm form={form} action="Request quote" kind={first ? "primary" : "plain"}>
        <EntryField
          form={form}
          name="credits_needed"
          label="Credits needed"
          hint="For a year; one credit checks one address."
          inputMode="numeric"
          placeholder="250,000"
          required
        />
        <TextField
          form={form}
          name="company_name"
          label="Company name (optional)"
          autoComplete="organization"
          maxLength={255}
        />
        <AreaField
          form={form}
          name="notes"
          label="Notes (optional)"
          maxLength={2_000}
          placeholder="When you need it, how you will use it"
        />
      </PageForm>
    </Section>
  );
}
