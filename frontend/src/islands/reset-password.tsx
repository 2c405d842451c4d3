import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { ResetLink } from "../api/types";
import { ONE_TIME } from "../features/accounts/signin/calls";
import { isTooShort, TOO_SHORT } from "../features/accounts/signin/credential-checks";
import { LinkOutcome, RedirectNotice, PendingNotice } from "../features/accounts/signin/link-page";
import { readData, openApi } from "../lib/client";
import { isRefused } from "../lib/errors";
import { formatCount } from "../lib/format";
import { navigation } from "../lib/session";
import { useForm } from "../lib/use-form";
import { ButtonLink } from "../ui/button";
import { Failure, FormBox, PasswordField } from "../ui/form";
import { SubmitButton } from "../ui/form-foot";
import { RadioField } from "../ui/radio-field";
import { ErrorState } from "../ui/states";
import { Toaster } from "../ui/toaster";

interface Values {
  password: string;
  again: string;
}

function checkValues({ password, again }: Values): Partial<Values> {
  if (isTooShort(password)) return { password: TOO_SHORT };
  return password === again ? {} : { again: "Passwords do not match" };
}

function isAfterOneTime(): boolean {
  return new URLSearchParams(location.search).has(ONE_TIME);
}

interface ProgramChoices {
  revoke_keys: boolean;
  switch_webhooks_off: boolean;
}

interface ProgramFieldsProps {
  link: ResetLink;
  ends: ProgramChoices;
  onChange: (ends: ProgramChoices) => void;
}

/** Asks about what an account has of keys and webhooks. */
function ProgramFields({ link, ends, onChange }: ProgramFieldsProps): ReactNode {
  return (
    <>
      {link.api_keys > 0 ? (
        <RadioField
          legend={`What about your ${formatCount(link.api_keys, "API key")}?`}
          name="keys"
          options={[
            [false, "Keep them working"],
            [true, "Revoke all"],
          ]}
          value={ends.revoke_keys}
          onChange={(revoke_keys) => onChange({ ...ends, revoke_keys })}
        />
      ) : null}
      {link.webhooks > 0 ? (
        <RadioField
          legend={`What about your ${formatCount(link.webhooks, "webhook")}?`}
          name="webhooks"
          options={[
            [false, "Keep sending to them"],
            [true, "Switch off all"],
          ]}
          value={ends.switch_webhooks_off}
          onChange={(switch_webhooks_off) => onChange({ ...ends, switch_webhooks_off })}
        />
      ) : null}
    </>
  );
}

/** What is wrong with the two fields while they are being filled in. */
function checkTyping({ password, again }: Values): Partial<Values> {
  if (again === "") return {};
  return {
    ...(password !== "" && isTooShort(password) ? { password: TOO_SHORT } : {}),
    ...(password === again ? {} : { again: "Passwords do not match" }),
  };
}

interface ResetFormProps {
  token: string;
  link: ResetLink;
  onDone: () => void;
}

function ResetForm({ token, link, onDone }: ResetFormProps): ReactNode {
  const [ends, setEnds] = useState<ProgramChoices>({ revoke_keys: false, switch_webhooks_off: false });
  const form = useForm<Values>({
    defaults: { password: "", again: "" },
    check: checkValues,
    send: async ({ password }) => {
      await readData(openApi.POST("/api/auth/reset-password", { body: { token, password, ...ends } }));
      toast.success("Password reset successful!");
      onDone();
    },
    fallback: "Failed to reset password",
    says: "both",
  });
  const { password, again } = form.values;
  const shown = { ...form, errors: { ...form.errors, ...checkTyping(form.values) } };
  return (
    <div className="card stack-4">
      <h1>Choose a new password</h1>
      <p className="muted" id="rules">
        {isAfterOneTime() ? "You signed in with a one-time password: now choose your own. " : ""}At least 8
        characters, with letters and numbers. Avoid common passwords. All open sessions will be signed out.
      </p>
      <FormBox form={shown}>
        <PasswordField form={shown} name="password" label="New password" fresh />
        <PasswordField form={shown} name="again" label="Confirm password" fresh />
        <ProgramFields link={link} ends={ends} onChange={setEnds} />
        <Failure>{form.failure}</Failure>
        <SubmitButton form={form} disabled={password === "" || password !== again}>
          Reset password
        </SubmitButton>
      </FormBox>
    </div>
  );
}

function InvalidLink(): ReactNode {
  return (
    <LinkOutcome works={false} title="Invalid Reset Link" text="Invalid or expired reset link">
      <p className="muted">A link works once and for one hour. Ask for a new one to choose a password.</p>
      <div className="row">
        <ButtonLink kind="primary" href="/?forgot=true">
          Ask for a new link
        </ButtonLink>
        <ButtonLink href="/">Return to Homepage</ButtonLink>
      </div>
    </LinkOutcome>
  );
}

function PasswordChosen(): ReactNode {
  return (
    <LinkOutcome works title="Password Reset Complete" text="Sign in with your new password.">
      <RedirectNotice onLeave={() => navigation.go("/")} place="the homepage" />
      <div className="row">
        <ButtonLink kind="primary" href="/?login=true">
          Go to Login
        </ButtonLink>
      </div>
    </LinkOutcome>
  );
}

function Step({ token }: { token: string }): ReactNode {
  const [done, setDone] = useState(false);
  const link = useQuery({
    queryKey: ["reset-link", token],
    queryFn: () =>
      readData(openApi.GET("/api/auth/verify-reset-token/{token}", { params: { path: { token } } })),
    enabled: token !== "",
    staleTime: Infinity,
  });
  if (done) return <PasswordChosen />;
  if (token === "") return <InvalidLink />;
  if (link.isPending) return <PendingNotice words="Checking your link" />;
  if (link.isError) {
    return isRefused(link.error) ? (
      <InvalidLink />
    ) : (
      <ErrorState query={link} fallback="The link could not be checked" wholePage />
    );
  }
  return <ResetForm token={token} link={link.data} onDone={() => setDone(true)} />;
}

/** The page that the link in the reset mail opens. */
export default function ResetPassword({ token }: { token: string }): ReactNode {
  return (
    <>
      <Toaster />
      <Step token={token} />
    </>
  );
}
