import { useQuery } from "@tanstack/react-query";
import { type ReactNode } from "react";
import { toast } from "sonner";

import type { InvitationShown } from "../api/types";
import { LinkOutcome, PendingNotice } from "../features/accounts/signin/link-page";
import { signOut } from "../features/accounts/signin/sessions/sign-out";
import { api, openApi, readData } from "../lib/client";
import { getErrorMessage, isRefused } from "../lib/errors";
import { storeFlash } from "../lib/flash";
import { storeReturnPath } from "../lib/return-path";
import { navigation } from "../lib/session";
import { useAction } from "../lib/use-action";
import { Button, ButtonLink } from "../ui/button";
import { Toaster } from "../ui/toaster";

/** Who invited may be gone. */
const NOBODY = "an owner or admin";
const FAILED = "The invitation could not be loaded";

/** Coming back to this page, signed in. */
function comeBack(): void {
  storeReturnPath(location.pathname + location.search);
}

function EndedLink({ text, retry }: { text: string; retry?: (() => void) | undefined }): ReactNode {
  return (
    <LinkOutcome works={false} title="This invitation cannot be accepted" text={text}>
      <div className="row">
        {retry ? <Button onClick={retry}>Retry</Button> : null}
        <ButtonLink href="/dashboard">Go to the dashboard</ButtonLink>
      </div>
    </LinkOutcome>
  );
}

interface PartProps {
  token: string;
  invitation: InvitationShown;
}

function AcceptButton({ token, invitation: { organisation } }: PartProps): ReactNode {
  const accepting = useAction(
    () => readData(api.POST("/api/invitations/{token}/accept", { params: { path: { token } } })),
    "The invitation could not be accepted",
    {
      onDone: () => {
        storeFlash(`You now belong to ${organisation}`);
        navigation.go("/team");
      },
    },
  );
  return (
    <div className="row">
      <Button
        kind="primary"
        busy={accepting.isPending || accepting.isSuccess}
        onClick={() => accepting.mutate()}
      >
        Accept
      </Button>
      <ButtonLink href="/dashboard">Not now</ButtonLink>
    </div>
  );
}

function WrongAddress({ email }: { email: string }): ReactNode {
  const leave = () => {
    comeBack();
    signOut().catch((error: unknown) => toast.error(getErrorMessage(error, "Failed to sign out")));
  };
  return (
    <div className="stack-4">
      <p role="alert">This invitation was sent to another address.</p>
      <p className="muted break">You are signed in as {email}.</p>
      <div className="row">
        <Button onClick={leave}>Sign out</Button>
        <ButtonLink href="/dashboard">Go to the dashboard</ButtonLink>
      </div>
    </div>
  );
}

/** The page brings the dialog along; it leads back here. */
function SignInButtons({ email }: { email: string }): ReactNode {
  return (
    <div className="stack-2">
      <div className="row">
        <button
          type="button"
          className="button button-primary"
          data-opens="auth"
          data-mode="login"
          data-email={email}
          onClick={comeBack}
        >
          Sign in to accept
        </button>
        <button
          type="button"
          className="button"
          data-opens="auth"
          data-mode="register"
          data-email={email}
          onClick={comeBack}
        >
          Create an account
        </button>
      </div>
      <p className="muted small break">Use the address {email}: the invitation holds for it alone.</p>
    </div>
  );
}

function WayOn({ email, ...parts }: PartProps & { email: string }): ReactNode {
  const invited = parts.invitation.email;
  if (email === "") return <SignInButtons email={invited} />;
  if (email.toLowerCase() !== invited.toLowerCase()) return <WrongAddress email={email} />;
  return <AcceptButton {...parts} />;
}

function Invited(props: PartProps & { email: string }): ReactNode {
  const { organisation, role, sentence, inviter } = props.invitation;
  return (
    <div className="card stack-4">
      <h1 className="break">Join {organisation}</h1>
      <p className="break">
        {inviter === null ? "You are invited" : `${inviter} invites you`} to {organisation} as {role}.
      </p>
      <p className="muted">{sentence}</p>
      <WayOn {...props} />
    </div>
  );
}

function Content({ token, email }: InvitationProps): ReactNode {
  const shown = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => readData(openApi.GET("/api/invitations/{token}", { params: { path: { token } } })),
    enabled: token !== "",
    retry: false,
  });
  if (token === "") return <EndedLink text="The link is not complete. Open it from the mail once more." />;
  if (shown.isPending) return <PendingNotice words="Loading the invitation" />;
  if (shown.isError) {
    const retry = isRefused(shown.error) ? undefined : () => void shown.refetch();
    return <EndedLink text={getErrorMessage(shown.error, FAILED)} retry={retry} />;
  }
  const { state, inviter } = shown.data;
  if (state !== "open") {
    return <EndedLink text={`This invitation has expired. Ask ${inviter ?? NOBODY} for a new one.`} />;
  }
  return <Invited token={token} email={email} invitation={shown.data} />;
}

interface InvitationProps {
  token: string;
  /** Of whoever is signed in; empty for nobody. */
  email: string;
}

/** The page that the link of an invitation opens. */
export default function Invitation(props: InvitationProps): ReactNode {
  return (
    <>
      <Toaster />
      <Content {...props} />
    </>
  );
}
