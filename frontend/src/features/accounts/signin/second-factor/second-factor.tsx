import { useQuery } from "@tanstack/react-query";
import { ShieldCheck, ShieldOff } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { SecondFactor as State } from "../../../../api/types";
import { api, dataOf } from "../../../../lib/client";
import { plural } from "../../../../lib/format";
import { Button } from "../../../../ui/button";
import { Loaded } from "../../../../ui/states";
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
          <Button onClick={() => open("off")}>Turn off</Button>
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
          : "With a code from your phone, someone who has learned your password still cannot sign in."}
      </p>
      <div className="row">
        <Button onClick={() => open("on")}>Turn on</Button>
      </div>
    </>
  );
}

function Badge({ on }: { on: boolean }): ReactNode {
  const Icon = on ? ShieldCheck : ShieldOff;
  return (
    <span className={`badge ${on ? "tone-valid" : "tone-unknown"}`}>
      <Icon size={14} aria-hidden />
      {on ? "On" : "Off"}
    </span>
  );
}

/** The second factor: whether it is on, and the ways to change that. */
export function SecondFactor(): ReactNode {
  const [step, setStep] = useState<Step | null>(null);
  const mfa = useQuery({ queryKey: MFA, queryFn: () => dataOf(api.GET("/api/user/mfa")) });
  const StepDialog = step && DIALOGS[step];
  return (
    <div className="card stack-4">
      <div className="row row-between">
        <h3>Two-factor sign-in</h3>
        {mfa.data ? <Badge on={mfa.data.totp} /> : null}
      </div>
      <Loaded query={mfa} fallback="Failed to load two-factor sign-in" rows={2}>
        {(state) => (state.totp ? <On state={state} open={setStep} /> : <Off state={state} open={setStep} />)}
      </Loaded>
      {StepDialog ? <StepDialog onClose={() => setStep(null)} /> : null}
    </div>
  );
}
