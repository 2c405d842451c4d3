import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Tried } from "../api/types";
import { TryAnswer, NextStep } from "../features/validation/single/try-answer";
import { readData, openApi } from "../lib/client";
import { getErrorMessage, getRefusal } from "../lib/errors";
import { AddressTitle } from "../ui/address";
import { Button } from "../ui/button";

interface TryProps {
  /** The address that was entered. */
  email?: string;
  sandbox: boolean;
  signed_in: boolean;
  /** What a new account is given. */
  free_credits: number;
}

function loadVerdict(email: string): Promise<Tried> {
  return readData(openApi.POST("/api/try", { body: { email } }));
}

function Waiting({ email }: { email: string }): ReactNode {
  return (
    <div className="stack-4">
      <p className="verdict-address">
        <AddressTitle email={email} />
      </p>
      <p className="waiting" role="status">
        Asking the domain's servers…
      </p>
    </div>
  );
}

interface FailureProps {
  error: unknown;
  signedIn: boolean;
  onRetry: () => void;
}

function Failure({ error, signedIn, onRetry }: FailureProps): ReactNode {
  const spent = getRefusal(error, "RATE_LIMIT_EXCEEDED");
  if (spent) {
    return (
      <div className="stack-4" role="alert">
        <p>You have used all tries of this hour. An account comes with credits of its own.</p>
        <NextStep signedIn={signedIn}>{spent.detail}</NextStep>
      </div>
    );
  }
  return (
    <div className="stack-4" role="alert">
      <p>
        {getErrorMessage(error, "The address could not be checked. That is our fault, not the address's.")}
      </p>
      {getRefusal(error, "INVALID_EMAIL") ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** What the form of the landing page asked for. The same address again is answered from what is known already. */
export default function Try({ email = "", sandbox, signed_in: signedIn, free_credits }: TryProps): ReactNode {
  const address = email.trim();
  const tried = useQuery({
    queryKey: ["try", address.toLowerCase()],
    queryFn: () => loadVerdict(address),
    retry: false,
    staleTime: Infinity,
  });
  if (tried.isFetching) return <Waiting email={address} />;
  const again = () => void tried.refetch();
  if (tried.isError) return <Failure error={tried.error} signedIn={signedIn} onRetry={again} />;
  if (!tried.data) return null;
  return (
    <TryAnswer tried={tried.data} freeCredits={free_credits} onAgain={again} {...{ sandbox, signedIn }} />
  );
}
