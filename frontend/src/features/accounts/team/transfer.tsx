import { useState, type ReactNode } from "react";

import type { Member, Organisation } from "../../../api/types";
import { formatLongDate } from "../../../lib/format";
import { navigation } from "../../../lib/session";
import { useAction } from "../../../lib/use-action";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { EntryField, PasswordField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { ChoiceField } from "../../../ui/select";
import { answerOffer, offerOwnership, refreshTeam, withdrawOffer } from "./calls";

const STAYS = "A plan that is running stays with who pays for it until it is replaced.";

interface OfferProps {
  organisation: Organisation;
}

/** For who is to become the owner. */
function OfferForYou({ organisation: { name, transfer } }: OfferProps): ReactNode {
  const accepting = useAction(() => answerOffer("accept"), "The ownership could not be taken over", {
    onDone: () => navigation.reload(),
  });
  const declining = useAction(() => answerOffer("decline"), "The offer could not be declined", {
    done: () => "Declined",
    onEnd: refreshTeam,
  });
  if (!transfer) return null;
  return (
    <aside className="notice" aria-label="Transfer of ownership">
      <div className="stack-1">
        <p>
          You are to become the owner of {name}. You can accept until {formatLongDate(transfer.expires_at)}.
        </p>
        <p className="muted small">{STAYS}</p>
      </div>
      <div className="row">
        <Button kind="primary" busy={accepting.isPending} onClick={() => accepting.mutate()}>
          Accept
        </Button>
        <Button busy={declining.isPending} onClick={() => declining.mutate()}>
          Decline
        </Button>
      </div>
    </aside>
  );
}

function OfferToAnother({ organisation: { rights, transfer } }: OfferProps): ReactNode {
  const withdrawing = useAction(withdrawOffer, "The offer could not be withdrawn", {
    done: () => "The transfer is withdrawn",
    onEnd: refreshTeam,
  });
  if (!transfer) return null;
  return (
    <aside className="notice" aria-label="Transfer of ownership">
      <p>
        Ownership is offered to {transfer.to}. They can accept until {formatLongDate(transfer.expires_at)};
        nothing changes before.
      </p>
      {rights.includes("own") ? (
        <Button busy={withdrawing.isPending} onClick={() => withdrawing.mutate()}>
          Withdraw
        </Button>
      ) : null}
    </aside>
  );
}

/** A transfer that waits for an answer. */
export function PendingTransfer({ organisation }: OfferProps): ReactNode {
  if (!organisation.transfer) return null;
  return organisation.transfer.for_you ? (
    <OfferForYou organisation={organisation} />
  ) : (
    <OfferToAnother organisation={organisation} />
  );
}

interface TransferDialogProps {
  name: string;
  /** Those to whom it can be handed over. */
  others: readonly Member[];
  onClose: () => void;
}

/** Offers the organisation to another member, who is to accept. */
export function TransferDialog({ name, others, onClose }: TransferDialogProps): ReactNode {
  const [way, setWay] = useState<"password" | "code">("password");
  const form = useForm({
    defaults: { member: String(others[0]?.id ?? ""), proof: "" },
    check: ({ proof }) => (proof.trim() === "" ? { proof: `Enter your ${way}` } : {}),
    send: async ({ member, proof }) => {
      const chosen = others.find(({ id }) => String(id) === member);
      if (!chosen) return;
      const given = { password: "", code: "", [way]: way === "code" ? proof.trim() : proof };
      await offerOwnership(chosen.id, given);
      refreshTeam();
      onClose();
    },
    fallback: "The ownership could not be offered",
  });
  const other = way === "password" ? "code" : "password";
  return (
    <FormDialog
      title={`Transfer ${name}`}
      description="They become owner when they accept, within 7 days. Until then nothing changes."
      form={form}
      action="Offer ownership"
      onClose={onClose}
    >
      <ChoiceField
        form={form}
        name="member"
        label="New owner"
        options={others.map((member) => [String(member.id), `${member.name} (${member.email})`] as const)}
      />
      {way === "password" ? (
        <PasswordField form={form} name="proof" label="Your password" />
      ) : (
        <EntryField form={form} name="proof" label="Code from the app" inputMode="numeric" />
      )}
      <p>
        <Button kind="quiet" onClick={() => setWay(other)}>
          {other === "code" ? "Use a code from the authenticator app" : "Use the password"}
        </Button>
      </p>
      <p className="muted small">{STAYS} Both of you get a mail.</p>
    </FormDialog>
  );
}
