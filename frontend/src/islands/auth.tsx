import { useEffect, useState, type ReactNode } from "react";
import { toast } from "sonner";

import { TO_DASHBOARD, TO_WEBHOOKS, type SignInTarget } from "../features/accounts/signin/calls";
import { CodeForm } from "../features/accounts/signin/code-form";
import { ForgotForm } from "../features/accounts/signin/forgot-form";
import { GoogleProof } from "../features/accounts/signin/google/google-proof";
import { GoogleReturn } from "../features/accounts/signin/google/google-return";
import { LoginForm } from "../features/accounts/signin/login-form";
import { CheckYourEmail, ResetLinkSent } from "../features/accounts/signin/mail-sent";
import { RegisterForm } from "../features/accounts/signin/register-form";
import { StaffForm } from "../features/accounts/signin/staff-form";
import { storeChosenOffer } from "../features/billing/catalogue/chosen-offer";
import { formatCount } from "../lib/format";
import { Dialog } from "../ui/dialog";
import { Failure } from "../ui/form";
import { Toaster } from "../ui/toaster";

type Mode =
  "login" | "register" | "forgot" | "staff" | "google" | "proof" | "code" | "registered" | "reset-sent";

interface View {
  mode: Mode;
  email: string;
  failure?: string;
  secondFactor?: { mfaToken: string; arrival: SignInTarget };
}

interface AuthProps {
  mode?: Mode;
  /** A demo login brings both along. */
  email?: string;
  password?: string;
  /** The one-time code of a return from Google. */
  session?: string;
  google?: boolean;
  staff_domain?: string;
  support_email?: string;
  /** What was pressed leads there after signing in. */
  then?: string;
  /** What a verified address is given. */
  free_credits?: number;
  /** An offer that was chosen on the price list: the query of the tab where it is bought, and in words. */
  choice?: string;
  chosen?: string;
}

const TITLES: Record<Mode, string> = {
  login: "Sign in",
  register: "Create your account",
  forgot: "Forgot your password?",
  staff: "Partner Portal",
  google: "Signing in with Google",
  proof: "Is this address yours?",
  code: "Two-factor sign-in",
  registered: "Check your email",
  "reset-sent": "Check your email",
};

const LEADS: Partial<Record<Mode, string>> = {
  forgot: "We email you a link to choose a new one.",
  staff: "Sign-in for staff.",
  code: "Enter the code from your authenticator app.",
};

function getLead(mode: Mode, { free_credits = 0, chosen = "" }: AuthProps): string | undefined {
  if (mode !== "register") return LEADS[mode];
  const gift =
    free_credits === 0 ? "" : `${formatCount(free_credits, "free credit")} once your address is verified.`;
  const choice = chosen === "" ? "" : `You chose ${chosen}: you pay, or not, once you are signed in.`;
  return `${choice} ${gift}`.trim() || undefined;
}

/** The address may name a dialog to open; closed, it no longer does. What else it says is the page's. */
function forgetAddress(): void {
  const address = new URL(location.href);
  for (const name of ["login", "forgot"]) address.searchParams.delete(name);
  history.replaceState(null, "", address);
}

interface Stage extends AuthProps {
  view: View;
  show: (view: View) => void;
  to: (mode: Mode) => (email: string) => void;
  askCode: (mfaToken: string, arrival: SignInTarget) => void;
}

function Login({
  view,
  to,
  askCode,
  password = "",
  google = false,
  support_email = "",
  then,
}: Stage): ReactNode {
  return (
    <div className="stack-4">
      <Failure>{view.failure}</Failure>
      <LoginForm
        email={view.email}
        password={password}
        google={google}
        arrival={then === "webhooks" ? TO_WEBHOOKS : TO_DASHBOARD}
        support={support_email}
        onSecondFactor={askCode}
        onForgot={to("forgot")}
        onRegister={to("register")}
      />
    </div>
  );
}

function Code({ view, to }: Stage): ReactNode {
  if (!view.secondFactor) return null;
  return <CodeForm {...view.secondFactor} onRestart={() => to("login")(view.email)} />;
}

function Google({ session = "", askCode, show, to }: Stage): ReactNode {
  const fail = (failure: string) => {
    toast.error(failure);
    show({ mode: "login", email: "", failure });
  };
  return (
    <GoogleReturn session={session} onSecondFactor={askCode} onUnproven={to("proof")} onFailure={fail} />
  );
}

const CONTENT: Record<Mode, (stage: Stage) => ReactNode> = {
  login: Login,
  register: ({ view, to, google = false }) => (
    <RegisterForm email={view.email} google={google} onSent={to("registered")} onLogin={to("login")} />
  ),
  forgot: ({ view, to }) => <ForgotForm email={view.email} onSent={to("reset-sent")} onLogin={to("login")} />,
  staff: ({ staff_domain = "", askCode }) => <StaffForm domain={staff_domain} onSecondFactor={askCode} />,
  google: Google,
  code: Code,
  registered: ({ view }) => <CheckYourEmail email={view.email} />,
  proof: ({ view, to, askCode }) => (
    <GoogleProof
      email={view.email}
      onSecondFactor={askCode}
      onMailed={to("registered")}
      onForgot={to("forgot")}
    />
  ),
  "reset-sent": ({ view }) => <ResetLinkSent email={view.email} />,
};

/** Everything that lets somebody in, one dialog at a time. */
export default function Auth(props: AuthProps): ReactNode {
  const first: Mode = props.session ? "google" : (props.mode ?? "login");
  const [view, setView] = useState<View>({ mode: first, email: props.email ?? "" });
  const [open, setOpen] = useState(true);
  useEffect(() => {
    if (props.mode === "register") storeChosenOffer(props.choice ?? "");
  }, [props.mode, props.choice]);
  const to = (mode: Mode) => (email: string) => setView({ mode, email });
  const askCode = (mfaToken: string, arrival: SignInTarget) =>
    setView({ mode: "code", email: view.email, secondFactor: { mfaToken, arrival } });
  const Content = CONTENT[view.mode];
  const close = () => {
    setOpen(false);
    forgetAddress();
  };
  return (
    <>
      <Toaster />
      {open ? (
        <Dialog
          key={view.mode}
          title={TITLES[view.mode]}
          description={getLead(view.mode, props)}
          onClose={close}
        >
          <Content {...props} view={view} show={setView} to={to} askCode={askCode} />
        </Dialog>
      ) : null}
    </>
  );
}
