import { useQuery } from "@tanstack/react-query";
import ShieldCheck from "lucide-react/icons/shield-check";
import ShieldOff from "lucide-react/icons/shield-off";
import { useState, type ReactNode } from "react";

import type { SecondFactor as State } from "../../../../api/types";
import { api, readData } from "../../../../lib/client";
import { formatCount } from "../../../../lib/format";
import { Badge, type Look } from "../../../../ui/badge";
import { Button } from "../../../../ui/button";
import { Loaded } from "../../../../ui/states";
import { MFA, RenewRecoveryCodes, DisableSecondFactor, EnableSecondFactor } from "./second-factor-dialogs";

const DIALOGS = { on: EnableSecondFactor, off: DisableSecondFactor, codes: RenewRecoveryCodes } as const;
type DialogName = keyof typeof DIALOGS;

function SecondFactorOn({ state, open }: { state: State; open: (step: DialogName) => void }): ReactNode {
  const few = state.recovery_codes_left < 3;
  return (
    <>
      <p>
        Signing in takes your password and a code from your authenticator app.{" "}
        <span className={few ? "tone-text tone-risky" : "muted"}>
          {formatCount(state.recovery_codes_left, "recovery code")} left.
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

function SecondFactorOff({ state, open }: { state: State; open: (step: DialogName) => void }): ReactNode {
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

const ON: Look = ["On", "valid", ShieldCheck];
const OFF: Look = ["Off", "unknown", ShieldOff];

/** The second factor: whether it is on, and the ways to change that. */
export function SecondFactor(): ReactNode {
  const [step, setStep] = useState<DialogName | null>(null);
  const mfa = useQuery({ queryKey: MFA, queryFn: () => readData(api.GET("/api/user/mfa")) });
  const StepDialog = step && DIALOGS[step];
  return (
    <div className="card stack-4 anchor" id="second-factor">
      <div className="row row-between">
        <h3>Two-factor sign-in</h3>
        {mfa.data ? <Badge look={mfa.data.totp ? ON : OFF} /> : null}
      </div>
      <Loaded query={mfa} fallback="Failed to load two-factor sign-in" rows={2}>
        {(state) =>
          state.totp ? (
            <SecondFactorOn state={state} open={setStep} />
          ) : (
            <SecondFactorOff state={state} open={setStep} />
          )
        }
      </Loaded>
      {StepDialog ? <StepDialog onClose={() => setStep(null)} /> : null}
    </div>
  );
}
