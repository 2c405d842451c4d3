import { useEffect, useRef, useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Deal, QuoteRequest, StaffQuote } from "../../../api/types";
import { reloadAdmin } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatNumber, formatUsd } from "../../../lib/format";
import { parseCredits } from "../quote-states";
import { useForm, type Form } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { AreaField, EntryField } from "../../../ui/form";
import { PricePreview } from "./price-preview";
import {
  PRESETS,
  QUOTES,
  REQUESTS,
  roundUpCredits,
  STEP,
  type Prefill,
  type Source,
  sayReason,
} from "./quote-data";
import { PageForm } from "../../../ui/form-foot";
import { ChoiceField } from "../../../ui/select";

const HIGHLIGHT_MS = 2_000;
const CUSTOM = "custom";
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMPTY = {
  customer_name: "",
  customer_email: "",
  customer_company: "",
  preset: "250000",
  credits_needed: "",
  notes: "",
};

type Values = typeof EMPTY;

function getCredits({ preset, credits_needed }: Values): number | null {
  return preset === CUSTOM ? parseCredits(credits_needed) : Number(preset);
}

function isOfferedAmount(credits: number | null): credits is number {
  return credits !== null && credits >= STEP && credits % STEP === 0;
}

function checkValues(values: Values): Partial<Values> {
  const wrong: Partial<Values> = {};
  if (values.customer_name.trim() === "") wrong.customer_name = "Enter the customer's name";
  if (!ADDRESS.test(values.customer_email.trim())) wrong.customer_email = "Enter a valid email address";
  if (!isOfferedAmount(getCredits(values)))
    wrong.credits_needed = "Enter a multiple of 1,000, at least 1,000 credits";
  return wrong;
}

function getValues(source: Source | undefined): Values {
  if (!source) return EMPTY;
  return "request" in source ? fillFromRequest(source.request) : fillFromDeal(source.deal);
}

function fillFromDeal({ contactName, contactEmail, companyName }: Deal): Values {
  return {
    ...EMPTY,
    customer_name: contactName,
    customer_email: contactEmail,
    customer_company: companyName,
  };
}

function fillFromRequest({
  user_name,
  user_email,
  company_name,
  credits_requested,
  notes,
}: QuoteRequest): Values {
  const credits = roundUpCredits(credits_requested);
  const isPreset = (PRESETS as readonly number[]).includes(credits);
  return {
    customer_name: user_name,
    customer_email: user_email,
    customer_company: company_name ?? "",
    preset: isPreset ? String(credits) : CUSTOM,
    credits_needed: isPreset ? "" : String(credits),
    notes,
  };
}

async function generateQuote(values: Values, source: Source | undefined): Promise<StaffQuote> {
  const { customer_name, customer_email, customer_company, notes } = values;
  const body = {
    customer_name,
    customer_email: customer_email.trim(),
    customer_company,
    credits_needed: getCredits(values) ?? 0,
    notes,
    ...(source && "deal" in source
      ? { deal_id: source.deal.id }
      : { request_id: source?.request.id ?? null }),
  };
  return readData(api.POST("/api/admin/quotes/generate", { body }));
}

const PRESET_OPTIONS = [
  ...PRESETS.map((credits) => [String(credits), formatNumber(credits)] as const),
  [CUSTOM, "Custom amount"] as const,
];

function AmountField({ form }: { form: Form<Values> }): ReactNode {
  const custom = form.values.preset === CUSTOM;
  return (
    <>
      <ChoiceField form={form} name="preset" label="Credits needed" options={PRESET_OPTIONS} />
      {custom ? (
        <EntryField
          form={form}
          name="credits_needed"
          label="Custom amount"
          hint="From 1,000, in steps of 1,000"
          type="number"
          min={STEP}
          step={STEP}
        />
      ) : null}
    </>
  );
}

function Fields({ form }: { form: Form<Values> }): ReactNode {
  return (
    <div className="quote-fields">
      <EntryField form={form} name="customer_name" label="Customer name" maxLength={150} required />
      <EntryField form={form} name="customer_email" label="Customer email" type="email" required />
      <EntryField form={form} name="customer_company" label="Company (optional)" maxLength={255} />
      <AmountField form={form} />
      <div className="quote-fields-wide">
        <AreaField
          form={form}
          name="notes"
          label="Notes (optional)"
          hint="For staff; the customer does not see them."
          rows={2}
          maxLength={2_000}
        />
      </div>
    </div>
  );
}

function RequestSummary({ request }: { request: QuoteRequest }): ReactNode {
  const asked = request.credits_requested;
  const rounded = roundUpCredits(asked);
  return (
    <>
      {request.user_name} asked for <strong className="nums">{formatNumber(asked)} credits</strong>
      {rounded === asked ? "." : `; rounded up to ${formatNumber(rounded)}.`}
    </>
  );
}

/** What the quote will answer, or belong to. */
function QuoteOrigin({ source, onLeave }: { source: Source; onLeave: () => void }): ReactNode {
  return (
    <div className="notice" role="note">
      <p className="break">
        {"request" in source ? (
          <RequestSummary request={source.request} />
        ) : (
          <>
            For the deal with {source.deal.companyName}, worth{" "}
            <strong className="nums">{formatUsd(source.deal.dealValue)}</strong>.
          </>
        )}
      </p>
      <Button kind="quiet" onClick={onLeave}>
        Clear
      </Button>
    </div>
  );
}

const FAILED = "Failed to generate quote";

interface FormProps {
  source: Source | undefined;
  onDone: () => void;
  onView: (quote: StaffQuote) => void;
}

function QuoteForm({ source, onDone, onView }: FormProps): ReactNode {
  const form = useForm<Values>({
    defaults: getValues(source),
    check: checkValues,
    send: async (values) => {
      const made = await sayReason(generateQuote(values, source), FAILED);
      const action = { label: "View", onClick: () => onView(made) };
      toast.success(`Quote generated successfully! ID: ${made.quote_id}`, { action });
      void reloadAdmin(...QUOTES);
      void reloadAdmin(...REQUESTS);
      onDone();
    },
    fallback: FAILED,
    unsent: "quote",
  });
  const credits = getCredits(form.values);
  return (
    <PageForm form={form} action="Generate quote">
      {source ? <QuoteOrigin source={source} onLeave={onDone} /> : null}
      <Fields form={form} />
      <PricePreview credits={isOfferedAmount(credits) ? credits : null} />
    </PageForm>
  );
}

/** True for two seconds after each prefill. */
function useHighlight(turn: number): boolean {
  const [seen, setSeen] = useState(0);
  useEffect(() => {
    if (turn === seen) return;
    const timer = setTimeout(() => setSeen(turn), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [turn, seen]);
  return turn !== seen;
}

interface GenerateProps {
  prefill: Prefill | null;
  onView: (quote: StaffQuote) => void;
  /** Told when the prefill was used, or left. */
  onDone: () => void;
}

/** Makes a quote; filled in from a request or a deal, it is scrolled to and shown up for a moment. */
export function GenerateForm({ prefill, onView, onDone }: GenerateProps): ReactNode {
  const [done, setDone] = useState(0);
  const section = useRef<HTMLElement>(null);
  const turn = prefill?.turn ?? 0;
  const lit = useHighlight(turn);
  useEffect(() => {
    if (turn === 0) return;
    section.current?.scrollIntoView({ behavior: "smooth", block: "start" });
    section.current?.querySelector<HTMLElement>("input")?.focus({ preventScroll: true });
  }, [turn]);
  const source = prefill !== null && done < turn ? prefill.source : undefined;
  const [made, setMade] = useState(0);
  return (
    <section
      ref={section}
      className={lit ? "card stack-4 quote-generate quote-lit" : "card stack-4 quote-generate"}
      aria-labelledby="generate-quote-heading"
    >
      <h2 id="generate-quote-heading">Generate Enterprise Quote</h2>
      <QuoteForm
        key={`${source ? turn : 0}-${made}`}
        source={source}
        onView={onView}
        onDone={() => {
          setDone(turn);
          setMade((count) => count + 1);
          onDone();
        }}
      />
    </section>
  );
}
