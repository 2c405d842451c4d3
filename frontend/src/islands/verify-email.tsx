import { useQuery } from "@tanstack/react-query";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import CircleCheck from "lucide-react/icons/circle-check";
import { useState, type ReactNode } from "react";

import { resendVerification } from "../features/accounts/signin/calls";
import { RedirectNotice, PendingNotice } from "../features/accounts/signin/link-page";
import { readData, openApi } from "../lib/client";
import { isRefused, getErrorMessage } from "../lib/errors";
import { useForm } from "../lib/use-form";
import { Button, ButtonLink } from "../ui/button";
import { Failure, FormBox, TextField } from "../ui/form";

const LOGIN = "/?login=true";
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
      <Button kind="primary" type="submit" busy={form.busy}>
        Send a new link
      </Button>
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
    <div className="card stack-4">
      <CircleAlert className="tone-text tone-invalid" size={32} aria-hidden />
      <div className="stack-2" role="alert">
        <h1>Your address is not verified</h1>
        <p>{message}</p>
      </div>
      {retry ? <Button onClick={retry}>Retry</Button> : null}
      <ResendForm />
      <div className="row">
        <HomeLink />
      </div>
    </div>
  );
}

function VerifiedNotice({
  title,
  message,
  leaves,
}: {
  title: string;
  message: string;
  leaves: boolean;
}): ReactNode {
  return (
    <div className="card stack-4">
      <CircleCheck className="tone-text tone-valid" size={32} aria-hidden />
      <div className="stack-2" role="status">
        <h1>{title}</h1>
        <p>{message}</p>
      </div>
      {leaves ? <RedirectNotice to={LOGIN} place="the sign-in page" /> : null}
      <div className="row">
        <ButtonLink kind="primary" href={LOGIN}>
          Go to Login
        </ButtonLink>
        <HomeLink />
      </div>
    </div>
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
  const { already_verified, message } = answer.data;
  const title = already_verified ? "Already verified" : "Your address is verified";
  return <VerifiedNotice title={title} message={message} leaves={!already_verified} />;
}
