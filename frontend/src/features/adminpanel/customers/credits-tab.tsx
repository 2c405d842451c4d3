import { useState, type ReactNode } from "react";

import type { Grant, GrantPreview } from "../../../api/types";
import { getMessage, useAction } from "../../../lib/use-action";
import { reloadAdmin } from "../use-admin-query";
import { api, readData, createIdempotencyKey, withIdempotencyKey } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { formatNumber, formatCount } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { AreaField, Failure, EntryField } from "../../../ui/form";
import { USERS } from "./use-users";
import { PageForm } from "../../../ui/form-foot";
import { Section } from "../../../ui/section";
import { ChoiceField } from "../../../ui/select";

const FAILED = "Failed to grant credits";
const MOST = 1_000_000;
const REASONS = [
  ["beta_testing", "Beta testing"],
  ["customer_service", "Customer service"],
  ["emergency_topup", "Emergency top-up"],
  ["promotional", "Promotional"],
  ["compensation", "Compensation"],
] as const;
const REASON_OPTIONS = [["", "Choose a reason"], ...REASONS] as const;
const EMPTY = { emails: "", credits: "", reason: "" };
type Values = typeof EMPTY;

function splitLines(emails: string): string[] {
  return emails
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function checkValues({ emails, credits, reason }: Values): Partial<Values> {
  const wrong: Partial<Values> = {};
  if (splitLines(emails).length === 0) wrong.emails = "Enter at least one address, one per line";
  const count = Number(credits);
  if (!/^\d+$/.test(credits.trim()) || count < 1 || count > MOST)
    wrong.credits = `Enter a whole number from 1 to ${formatNumber(MOST)}`;
  if (reason === "") wrong.reason = "Choose a reason";
  return wrong;
}

function buildGrant({ emails, credits, reason }: Values): Grant {
  const known = REASONS.find(([key]) => key === reason)?.[0] ?? "customer_service";
  return { user_emails: splitLines(emails), credits: Number(credits), reason: known };
}

/** What is about to be given, under one key, however often it is sent. */
interface PendingGrant {
  grant: Grant;
  preview: GrantPreview;
  key: string;
}

async function previewGrant(values: Values): Promise<PendingGrant> {
  const grant = buildGrant(values);
  const { user_emails, credits } = grant;
  const preview = await readData(
    api.POST("/api/admin/credits/bulk-grant/preview", { body: { user_emails, credits } }),
  );
  return { grant, preview, key: createIdempotencyKey() };
}

interface GrantFormProps {
  values: Values;
  onLook: (asked: PendingGrant, values: Values) => void;
}

function GrantForm({ values, onLook }: GrantFormProps): ReactNode {
  const form = useForm<Values>({
    defaults: values,
    check: checkValues,
    send: async (filled) => onLook(await previewGrant(filled), filled),
    fallback: FAILED,
  });
  const count = splitLines(form.values.emails).length;
  return (
    <PageForm form={form} action="Preview grant">
      <AreaField
        form={form}
        name="emails"
        label="Emails"
        hint={
          count > 0
            ? `${formatCount(count, "address", "addresses")}; at most 1,000`
            : "One per line, at most 1,000"
        }
        rows={8}
        spellCheck={false}
        autoComplete="off"
      />
      <div className="user-fields">
        <EntryField
          form={form}
          name="credits"
          label="Credits for each"
          hint="They last a year."
          inputMode="numeric"
        />
        <ChoiceField form={form} name="reason" label="Reason" options={REASON_OPTIONS} />
      </div>
    </PageForm>
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

function sendGrant({ grant, key }: PendingGrant) {
  return readData(api.POST("/api/admin/credits/bulk-grant", { body: grant, ...withIdempotencyKey(key) }));
}

/** Which organisation gets the credits: the one that the person holds, whatever else they own. */
function describeRecipient(found: GrantPreview["found"][number]): string {
  const { name, email, organisation, other_organisations: others } = found;
  const none = others.length > 0 ? `, nothing to ${others.join(", ")}` : "";
  return `${name} · ${email} · goes to ${organisation}${none}`;
}

interface PreviewProps {
  asked: PendingGrant;
  onBack: () => void;
  onDone: (skipped: string[]) => void;
}

function Preview({ asked, onBack, onDone }: PreviewProps): ReactNode {
  const { grant, preview } = asked;
  const { found, not_found, duplicates, total_credits } = preview;
  const giving = useAction(() => sendGrant(asked), FAILED, {
    done: getMessage,
    says: "described",
    onDone: ({ not_found }) => onDone(not_found),
    onEnd: () => reloadAdmin(...USERS),
  });
  return (
    <div className="stack-4">
      <p>
        <strong>
          {formatNumber(grant.credits)} × {formatCount(found.length, "account")} ={" "}
          {formatCount(total_credits, "credit")}
        </strong>
        , given at once or not at all, and recorded with your name.
      </p>
      <Addresses title="Found" addresses={found.map(describeRecipient)} />
      <Addresses title="Not found" addresses={not_found}>
        <p className="muted">No account has these addresses. They are left out.</p>
      </Addresses>
      <Addresses title="Duplicates" addresses={duplicates}>
        <p className="muted">Named more than once; each account gets the credits once.</p>
      </Addresses>
      <Failure>{giving.error ? getErrorMessage(giving.error, FAILED) : null}</Failure>
      <div className="row">
        <Button
          kind="primary"
          busy={giving.isPending}
          disabled={found.length === 0}
          onClick={() => giving.mutate()}
        >
          Grant {formatCount(total_credits, "credit")}
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  );
}

/** Credits for many accounts at once: entered, looked at, given. */
export function CreditsTab(): ReactNode {
  const [values, setValues] = useState(EMPTY);
  const [asked, setAsked] = useState<PendingGrant | null>(null);
  const [skipped, setSkipped] = useState<string[]>([]);
  const done = (left: string[]) => {
    setSkipped(left);
    setValues(EMPTY);
    setAsked(null);
  };
  return (
    <Section id="grant-heading" title="Bulk Credit Management" card className="credit-grants">
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
    </Section>
  );
}
