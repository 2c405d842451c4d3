import { useQuery } from "@tanstack/react-query";
import { ShieldCheck, ShieldOff } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { SecondFactor as State } from "../../api/types";
import { api, dataOf } from "../../lib/client";
import { plural } from "../../lib/format";
import { Button } from "../../ui/button";
import { ErrorState, SkeletonRows } from "../../ui/states";
import { MFA, NewCodes, TurnOff, TurnOn } from "./second-factor-dialogs";

const DIALOGS = { on: TurnOn, off: TurnOff, codes: NewCodes } as const;
type Step = keyof typeof DIALOGS;

function On({ state, open }: { state: State; open: (step: Step) => void }): ReactNode {
  const few = state.recovery_codes_left < 3;
  return (
    <>
      <p>
        Signing in takes your password and a code from your authenticator app.{" "}
        <span className={few ? "tone-text tone-risky" : "muted"}>
          {plural(state.recovery_codes_left, "recovery code")} left.
        </span>
      </p>
      <div className="row">
        <Button onClick={() => open("codes")}>New recovery codes</Button>
        {state.required ? (
          <span className="muted">Two-factor sign-in is required for staff</span>
        ) : (
          <Button kind="danger" onClick={() => open("off")}>
            Turn off
          </Button>
        )}
      </div>
    </>
  );
}

function Off({ state, open }: { state: State; open: (step: Step) => void }): ReactNode {
  return (
    <>
      <p>
        {state.required
          ? "Two-factor sign-in is required for staff. Turn it on to enter the staff area."
          : "A code from your phone, besides the password, keeps out whoever has learned the password."}
      </p>
      <div className="row">
        <Button kind="primary" onClick={() => open("on")}>
          Turn on
        </Button>
      </div>
    </>
  );
}

/** The second factor: whether it is on, and the ways to change that. */
export function SecondFactor(): ReactNode {
  const [step, setStep] = useState<Step | null>(null);
  const mfa = useQuery({ queryKey: MFA, queryFn: () => dataOf(api.GET("/api/user/mfa")) });
  const StepDialog = step && DIALOGS[step];
  const on = mfa.data?.totp === true;
  return (
    <div className="card stack-4">
      <div className="row row-between">
        <h3>Two-factor sign-in</h3>
        {mfa.data ? (
          <span className={`badge ${on ? "tone-valid" : "tone-unknown"}`}>
            {on ? <ShieldCheck size={14} aria-hidden /> : <ShieldOff size={14} aria-hidden />}
            {on ? "On" : "Off"}
          </span>
        ) : null}
      </div>
      {mfa.isPending ? <SkeletonRows count={2} /> : null}
      {mfa.isError ? <ErrorState query={mfa} fallback="Failed to load two-factor sign-in" /> : null}
      {mfa.data ? (
        on ? (
          <On state={mfa.data} open={setStep} />
        ) : (
          <Off state={mfa.data} open={setStep} />
        )
      ) : null}
      {StepDialog ? <StepDialog onClose={() => setStep(null)} /> : null}
    </div>
  );
}
