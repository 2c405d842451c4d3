import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { TotpSetup } from "../../../../api/types";
import { api, readData, deleteWithBody } from "../../../../lib/client";
import { queryClient } from "../../../../lib/query";
import { useForm } from "../../../../lib/use-form";
import { Dialog } from "../../../../ui/dialog";
import { TextField } from "../../../../ui/form";
import { DialogForm } from "../../../../ui/form-foot";
import { Secret, ShownOnce } from "../../../../ui/shown-once";
import { Loaded } from "../../../../ui/states";
import { RecoveryCodes } from "./recovery-codes";

export const MFA = ["mfa"] as const;

interface StepProps {
  onClose: () => void;
}

interface CodeStepProps {
  label: string;
  hint?: string;
  action: string;
  danger?: boolean;
  send: (code: string) => Promise<unknown>;
  onCancel: () => void;
}

/** Asks for a code and does something with it. */
function CodeStep({ label, hint, action, danger = false, send, onCancel }: CodeStepProps): ReactNode {
  const form = useForm({
    defaults: { code: "" },
    check: ({ code }) => (code.trim() === "" ? { code: "Enter the code" } : {}),
    send: ({ code }) => send(code.trim()),
    fallback: "The code could not be checked",
  });
  return (
    <DialogForm form={form} action={action} kind={danger ? "danger" : "primary"} onCancel={onCancel}>
      <TextField
        form={form}
        name="code"
        label={label}
        hint={hint}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
    </DialogForm>
  );
}

function RecoveryCodesDialog({ codes, onClose }: StepProps & { codes: readonly string[] }): ReactNode {
  return (
    <ShownOnce title="Your recovery codes" done="I have kept them" onClose={onClose}>
      <RecoveryCodes codes={codes} />
    </ShownOnce>
  );
}

function buildImageUrl(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

interface ScanStepProps extends StepProps {
  setup: TotpSetup;
  onCodes: (codes: string[]) => void;
}

function ScanStep({ setup, onCodes, onClose }: ScanStepProps): ReactNode {
  const confirm = async (code: string) => {
    const { recovery_codes } = await readData(api.POST("/api/user/mfa/totp/confirm", { body: { code } }));
    onCodes(recovery_codes);
    toast.success("Two-factor sign-in is on");
  };
  return (
    <div className="stack-4">
      <p>Scan this with an authenticator app, or type the key into it.</p>
      <img className="qr" src={buildImageUrl(setup.qr_svg)} alt="QR code for the authenticator app" />
      <Secret text={setup.secret} label="Key for the authenticator app" copy="Copy key" />
      <CodeStep label="Code from the app" action="Turn on" send={confirm} onCancel={onClose} />
    </div>
  );
}

/** Sets a second factor up; it is on when a code of the app was seen. */
export function EnableSecondFactor({ onClose }: StepProps): ReactNode {
  const [codes, setCodes] = useState<string[] | null>(null);
  const setup = useQuery({
    queryKey: ["totp-setup"],
    queryFn: () => readData(api.POST("/api/user/mfa/totp")),
    staleTime: Infinity,
    gcTime: 0,
  });
  const close = () => {
    void queryClient.invalidateQueries({ queryKey: MFA });
    onClose();
  };
  if (codes) return <RecoveryCodesDialog codes={codes} onClose={close} />;
  return (
    <Dialog title="Turn on two-factor sign-in" onClose={onClose}>
      <Loaded query={setup} fallback="Two-factor sign-in could not be prepared" rows={8}>
        {(data) => <ScanStep setup={data} onCodes={setCodes} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

export function DisableSecondFactor({ onClose }: StepProps): ReactNode {
  const turnOff = async (code: string) => {
    await deleteWithBody("/api/user/mfa/totp", { code });
    toast.success("Two-factor sign-in is off");
    void queryClient.invalidateQueries({ queryKey: MFA });
    onClose();
  };
  return (
    <Dialog
      title="Turn off two-factor sign-in"
      description="Your password alone will sign you in. The recovery codes end."
      onClose={onClose}
    >
      <CodeStep
        label="Code"
        hint="From the app, or one of your recovery codes."
        action="Turn off"
        danger
        send={turnOff}
        onCancel={onClose}
      />
    </Dialog>
  );
}

export function RenewRecoveryCodes({ onClose }: StepProps): ReactNode {
  const [codes, setCodes] = useState<string[] | null>(null);
  const renew = async (code: string) => {
    const answer = await readData(api.POST("/api/user/mfa/recovery-codes", { body: { code } }));
    setCodes(answer.recovery_codes);
    void queryClient.invalidateQueries({ queryKey: MFA });
  };
  if (codes) return <RecoveryCodesDialog codes={codes} onClose={onClose} />;
  return (
    <Dialog title="New recovery codes" description="The old codes end at once." onClose={onClose}>
      <CodeStep label="Code from the app" action="Make new codes" send={renew} onCancel={onClose} />
    </Dialog>
  );
}
