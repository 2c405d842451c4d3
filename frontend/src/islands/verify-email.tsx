import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { resendVerification, startSession, TO_FIRST_CHECK } from "../features/accounts/signin/calls";
import { LinkOutcome, RedirectNotice, PendingNotice } from "../features/accounts/signin/link-page";
import { readData, openApi } from "../lib/client";
import { isRefused, getErrorMessage } from "../lib/errors";
import { navigation } from "../lib/session";
import { useForm } from "../lib/use-form";
import { Button, ButtonLink } from "../ui/button";
import { Failure, FormBox, TextField } from "../ui/form";
import { SubmitButton } from "../ui/form-foot";

const LOGIN = "/?login=true";
const VERIFIED = "Your address is verified";
const NO_TOKEN = "Invalid verification link. Please check your email for the correct link.";
const FAILED = "Verification failed. The link may have expired.";

function ResendForm(): ReactNode {
  const [sent, setSent] = useState<string | null>(null);
  const form = useForm({
    defaults: { email: "" },
    check: ({ email }) => (email.trim() === "" ? { email: "Please enter your email address." } : {}),
    send: async ({ email }) => {
      setSent(null);
      setSent(await resendVerification(email.trim()));
    },
    fallback: "Failed to resend verification email",
  });
  return (
    <FormBox form={form}>
      <TextField form={form} name="email" label="Email" type="email" autoComplete="email" />
      {sent ? <p role="status">{sent}</p> : null}
      <Failure>{form.failure}</Failure>
      <SubmitButton form={form}>Send a new link</SubmitButton>
    </FormBox>
  );
}

function HomeLink(): ReactNode {
  return <ButtonLink href="/">Back to Homepage</ButtonLink>;
}

interface RefusedLinkProps {
  message: string;
  /** Another try, where the server did not look at the link. */
  retry?: (() => void) | undefined;
}

function RefusedLink({ message, retry }: RefusedLinkProps): ReactNode {
  return (
    <LinkOutcome works={false} title="Your address is not verified" text={message}>
      {retry ? <Button onClick={retry}>Retry</Button> : null}
      <ResendForm />
      <div className="row">
        <HomeLink />
      </div>
    </LinkOutcome>
  );
}

interface VerifiedNoticeProps {
  title: string;
  message: string;
  leaves: boolean;
}

function VerifiedNotice({ title, message, leaves }: VerifiedNoticeProps): ReactNode {
  return (
    <LinkOutcome works title={title} text={message}>
      {leaves ? <RedirectNotice onLeave={() => navigation.go(LOGIN)} place="the sign-in page" /> : null}
      <div className="row">
        <ButtonLink kind="primary" href={LOGIN}>
          Go to Login
        </ButtonLink>
        <HomeLink />
      </div>
    </LinkOutcome>
  );
}

/** In the browser that the address was registered in: it is signed in. */
function SignedInNotice({ token, message }: { token: string; message: string }): ReactNode {
  const enter = () => startSession(token, TO_FIRST_CHECK);
  return (
    <LinkOutcome works title={VERIFIED} text={message}>
      <RedirectNotice onLeave={enter} place="your dashboard" />
      <div className="row">
        <Button kind="primary" onClick={enter}>
          Start validating
        </Button>
      </div>
    </LinkOutcome>
  );
}

/** The page that the link in the verification mail opens. */
export default function VerifyEmail({ token }: { token: string }): ReactNode {
  const answer = useQuery({
    queryKey: ["verify-email", token],
    queryFn: () => readData(openApi.GET("/api/auth/verify-email", { params: { query: { token } } })),
    enabled: token !== "",
    staleTime: Infinity,
  });
  if (token === "") return <RefusedLink message={NO_TOKEN} />;
  if (answer.isPending || answer.isRefetching) return <PendingNotice words="Verifying your email address" />;
  if (answer.isError) {
    const retry = isRefused(answer.error) ? undefined : () => void answer.refetch();
    return <RefusedLink message={getErrorMessage(answer.error, FAILED)} retry={retry} />;
  }
  const { already_verified, message, token: session } = answer.data;
  if (session !== undefined) return <SignedInNotice token={session} message={message} />;
  const title = already_verified ? "Already verified" : VERIFIED;
  return <VerifiedNotice title={title} message={message} leaves={!already_verified} />;
}
