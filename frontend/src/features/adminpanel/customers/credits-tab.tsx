import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Grant, GrantPreview } from "../../../api/types";
import { api, dataOf, idempotencyKey, oncePerPress } from "../../../lib/client";
import { messageOf } from "../../../lib/errors";
import { formatNumber, plural } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { useForm, type Form } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { AreaField, Failure, FormBox, TextField } from "../../../ui/form";
import { USERS } from "./use-users";

const FAILED = "Failed to grant credits";
const MOST = 1_000_000;
const REASONS = [
  ["beta_testing", "Beta testing"],
  ["customer_service", "Customer service"],
  ["emergency_topup", "Emergency top-up"],
  ["promotional", "Promotional"],
  ["compensation", "Compensation"],
] as const;
const EMPTY = { emails: "", credits: "", reason: "" };
type Values = typeof EMPTY;

function listed(emails: string): string[] {
  return emails
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function check({ emails, credits, reason }: Values): Partial<Values> {
  const wrong: Partial<Values> = {};
  if (listed(emails).length === 0) wrong.emails = "Enter at least one address, one per line";
  const count = Number(credits);
  if (!/^\d+$/.test(credits.trim()) || count < 1 || count > MOST)
    wrong.credits = `Enter a whole number from 1 to ${formatNumber(MOST)}`;
  if (reason === "") wrong.reason = "Choose a reason";
  return wrong;
}

function grantOf({ emails, credits, reason }: Values): Grant {
  const known = REASONS.find(([key]) => key === reason)?.[0] ?? "customer_service";
  return { user_emails: listed(emails), credits: Number(credits), reason: known };
}

/** What is about to be given, under one key, however often it is sent. */
interface Asked {
  grant: Grant;
  preview: GrantPreview;
  key: string;
}

async function look(values: Values): Promise<Asked> {
  const grant = grantOf(values);
  const { user_emails, credits } = grant;
  const preview = await dataOf(
    api.POST("/api/admin/credits/bulk-grant/preview", { body: { user_emails, credits } }),
  );
  return { grant, preview, key: idempotencyKey() };
}

function ReasonField({ form }: { form: Form<Values> }): ReactNode {
  return (
    <Field label="Reason" error={form.errors.reason}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={form.values.reason}
          onChange={(event) => form.set("reason", event.target.value)}
        >
          <option value="">Choose a reason</option>
          {REASONS.map(([key, words]) => (
            <option key={key} value={key}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function GrantForm({
  values,
  onLook,
}: {
  values: Values;
  onLook: (asked: Asked, values: Values) => void;
}): ReactNode {
  const form = useForm<Values>({
    defaults: values,
    check,
    send: async (filled) => onLook(await look(filled), filled),
    fallback: FAILED,
  });
  const count = listed(form.values.emails).length;
  return (
    <FormBox form={form}>
      <AreaField
        form={form}
        name="emails"
        label="Emails"
        hint={
          count > 0
            ? `${plural(count, "address", "addresses")}; at most 1,000`
            : "One per line, at most 1,000"
        }
        rows={8}
        spellCheck={false}
        autoComplete="off"
      />
      <div className="user-fields">
        <TextField
          form={form}
          name="credits"
          label="Credits for each"
          hint="They last a year."
          inputMode="numeric"
          autoComplete="off"
        />
        <ReasonField form={form} />
      </div>
      <Failure>{form.failure}</Failure>
      <div className="row">
        <Button kind="primary" type="submit" busy={form.busy}>
          Preview grant
        </Button>
      </div>
    </FormBox>
  );
}

interface AddressesProps {
  title: string;
  addresses: readonly string[];
  children?: ReactNode;
}

function Addresses({ title, addresses, children }: AddressesProps): ReactNode {
  if (addresses.length === 0) return null;
  return (
    <div className="stack-2">
      <h3>
        {title}: {formatNumber(addresses.length)}
      </h3>
      {children}
      <ul className="user-matches" aria-label={title}>
        {addresses.map((address, index) => (
          <li key={index}>
            <span className="break">{address}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function send({ grant, key }: Asked) {
  return dataOf(api.POST("/api/admin/credits/bulk-grant", { body: grant, ...oncePerPress(key) }));
}

interface PreviewProps {
  asked: Asked;
  onBack: () => void;
  onDone: (skipped: string[]) => void;
}

function Preview({ asked, onBack, onDone }: PreviewProps): ReactNode {
  const { grant, preview } = asked;
  const { found, not_found, duplicates, total_credits } = preview;
  const giving = useMutation({
    mutationFn: () => send(asked),
    onSuccess: ({ message, not_found: skipped }) => {
      toast.success(message);
      onDone(skipped);
    },
    onError: (error) => toast.error(messageOf(error, FAILED)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["admin", ...USERS] }),
  });
  return (
    <div className="stack-4">
      <p>
        <strong>
          {formatNumber(grant.credits)} × {plural(found.length, "account")} ={" "}
          {plural(total_credits, "credit")}
        </strong>
        , given at once or not at all, and recorded with your name.
      </p>
      <Addresses title="Found" addresses={found.map(({ name, email }) => `${name} · ${email}`)} />
      <Addresses title="Not found" addresses={not_found}>
        <p className="muted">No account has these addresses. They are left out.</p>
      </Addresses>
      <Addresses title="Duplicates" addresses={duplicates}>
        <p className="muted">Named more than once; each account gets the credits once.</p>
      </Addresses>
      <Failure>{giving.error ? messageOf(giving.error, FAILED) : null}</Failure>
      <div className="row">
        <Button
          kind="primary"
          busy={giving.isPending}
          disabled={found.length === 0}
          onClick={() => giving.mutate()}
        >
          Grant {plural(total_credits, "credit")}
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  );
}

/** Credits for many accounts at once: entered, looked at, given. */
export function CreditsTab(): ReactNode {
  const [values, setValues] = useState(EMPTY);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [skipped, setSkipped] = useState<string[]>([]);
  const done = (left: string[]) => {
    setSkipped(left);
    setValues(EMPTY);
    setAsked(null);
  };
  return (
    <section className="card stack-4 credit-grants" aria-labelledby="grant-heading">
      <h2 id="grant-heading">Bulk Credit Management</h2>
      {asked === null ? (
        <>
          {skipped.length > 0 ? (
            <div className="notice" role="status">
              <Addresses title="Skipped, unknown or named twice" addresses={skipped} />
            </div>
          ) : null}
          <GrantForm
            values={values}
            onLook={(seen, filled) => {
              setValues(filled);
              setSkipped([]);
              setAsked(seen);
            }}
          />
        </>
      ) : (
        <Preview asked={asked} onBack={() => setAsked(null)} onDone={done} />
      )}
    </section>
  );
}
