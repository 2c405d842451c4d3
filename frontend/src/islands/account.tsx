import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import Code from "lucide-react/icons/code";
import LogOut from "lucide-react/icons/log-out";
import Settings from "lucide-react/icons/settings";
import { useEffect, useState, type ReactNode } from "react";
import { toast } from "sonner";

import { takeFlash } from "../lib/flash";
import { useCurrentUser } from "../features/accounts/profile/use-current-user";
import { getErrorMessage } from "../lib/errors";
import { formatCount } from "../lib/format";
import { queryClient } from "../lib/query";
import { signOut } from "../features/accounts/signin/sessions/sign-out";
import { useCredits } from "../features/billing/subscriptions/use-subscription";
import { Avatar } from "../ui/avatar";
import { Button, ButtonLink } from "../ui/button";
import { Toaster } from "../ui/toaster";

function LogOutButton(): ReactNode {
  const [busy, setBusy] = useState(false);
  const leave = () => {
    setBusy(true);
    void signOut();
  };
  return (
    <Button kind="quiet" busy={busy} changes={false} onClick={leave} aria-label="Logout">
      <LogOut size={18} aria-hidden />
      <span className="from-1024">Logout</span>
    </Button>
  );
}

function Credits(): ReactNode {
  const { data } = useCredits();
  if (!data) return null;
  return <span className="credits">{formatCount(data.credits, "credit")}</span>;
}

function Links(): ReactNode {
  return (
    <>
      <ButtonLink kind="quiet" href="/api-docs" aria-label="API">
        <Code size={18} aria-hidden />
        <span className="from-1024">API</span>
      </ButtonLink>
      <ButtonLink kind="quiet" href="/account-settings" aria-label="Settings">
        <Settings size={18} aria-hidden />
        <span className="from-1024">Settings</span>
      </ButtonLink>
    </>
  );
}

/** Asks again for everything that failed, here and in the other islands of the page. */
function retryFailed(): void {
  void queryClient.refetchQueries({ predicate: ({ state }) => state.status === "error" });
}

/** A badge with the name, for pages that are about the account itself. */
function NameBadge({ name }: { name: string }): ReactNode {
  return (
    <span className="name-badge">
      <Avatar name={name} />
      <span className="account-name from-640">{name}</span>
    </span>
  );
}

function WelcomeLine({ name }: { name: string }): ReactNode {
  return <span className="muted account-name from-640">Welcome, {name}</span>;
}

const LOOKS = { welcome: WelcomeLine, badge: NameBadge } as const;

/** Who is signed in, their credits, and the way out; toasts appear here too. */
export default function Account({ look = "welcome" }: { look?: keyof typeof LOOKS }): ReactNode {
  const Name = LOOKS[look];
  const me = useCurrentUser();
  const failure = getErrorMessage(me.error, "Failed to load dashboard data");
  useEffect(() => {
    const message = takeFlash();
    if (message) toast.success(message);
  }, []);
  return (
    <>
      <Toaster />
      {me.isError ? (
        <>
          <CircleAlert className="account-failed" size={18} role="img" aria-label={failure} />
          <span className="account-failure" aria-hidden>
            {failure}
          </span>
          <Button busy={me.isFetching} changes={false} onClick={retryFailed}>
            Retry
          </Button>
        </>
      ) : null}
      {me.data ? <Name name={me.data.name} /> : null}
      {look === "welcome" ? (
        <>
          <Credits />
          <Links />
        </>
      ) : null}
      <LogOutButton />
    </>
  );
}
