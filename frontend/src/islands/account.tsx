import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { useEffect, type ReactNode } from "react";
import { toast } from "sonner";

import { takeFlash } from "../lib/flash";
import { useCurrentUser } from "../features/accounts/profile/use-current-user";
import { getErrorMessage } from "../lib/errors";
import { queryClient } from "../lib/query";
import { Avatar } from "../ui/avatar";
import { Button } from "../ui/button";
import { Toaster } from "../ui/toaster";

/** Asks again for everything that failed, here and in the other islands of the page. */
function retryFailed(): void {
  void queryClient.refetchQueries({ predicate: ({ state }) => state.status === "error" });
}

interface AccountProps {
  /** As the page was made with; it may be changed on it. */
  name: string;
  greeting?: string;
}

/** Who is signed in, which opens the menu of the account; toasts appear here too. */
export default function Account({ name, greeting }: AccountProps): ReactNode {
  const me = useCurrentUser();
  const shown = me.data?.name ?? name;
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
          <CircleAlert className="account-failed" size={16} role="img" aria-label={failure} />
          <span className="account-failure" aria-hidden>
            {failure}
          </span>
          <Button busy={me.isFetching} changes={false} onClick={retryFailed}>
            Retry
          </Button>
        </>
      ) : null}
      <button type="button" className="account-open" popoverTarget="account-menu">
        <span className="account-name from-640">{greeting ? `${greeting}, ${shown}` : shown}</span>
        <Avatar name={shown} />
        <span className="visually-hidden">Account menu</span>
      </button>
    </>
  );
}
