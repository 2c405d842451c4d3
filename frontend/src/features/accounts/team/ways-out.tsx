import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Client, Organisation, Team } from "../../../api/types";
import { storeFlash } from "../../../lib/flash";
import { formatPlan } from "../../../lib/labels";
import { mayDo } from "../../../lib/rights";
import { navigation } from "../../../lib/session";
import { useForm } from "../../../lib/use-form";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { Dialog } from "../../../ui/dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { EntryField, PasswordField } from "../../../ui/form";
import { DialogForm } from "../../../ui/form-foot";
import { Section } from "../../../ui/section";
import { ErrorState, SkeletonRows } from "../../../ui/states";
import { CLIENTS, loadClients } from "../../billing/clients/calls";
import { UnspentCredits } from "../../billing/ledger/unspent-credits";
import { useCredits, useSubscription } from "../../billing/subscriptions/use-subscription";
import { deleteOrganisation, leaveOrganisation } from "./calls";
import { TransferDialog } from "./transfer";

interface NameProps {
  name: string;
  onClose: () => void;
}

/** Another page shows what is next: the organisation is no longer one's own. */
function goAway(words: string): void {
  storeFlash(words);
  navigation.go("/dashboard");
}

function LeaveDialog({ name, onClose }: NameProps): ReactNode {
  return (
    <ConfirmDialog
      title={`Leave ${name}?`}
      action={`Leave ${name}`}
      act={leaveOrganisation}
      failed={`You could not leave ${name}`}
      onDone={() => goAway(`You have left ${name}`)}
      onClose={onClose}
    >
      <p>You lose access to its lists, results and credits at once. What you made there stays.</p>
      <p className="muted">Whoever has no other organisation gets an empty one on Free.</p>
    </ConfirmDialog>
  );
}

/** The clients of an agency that is deleted: those without people go with it. */
function LostClients({ clients }: { clients: readonly Client[] }): ReactNode {
  const lonely = clients.filter(({ members }) => members === 0).map(({ name }) => name);
  if (clients.length === 0) return null;
  return (
    <li className="break">
      {lonely.length === 0
        ? "Its clients go on without it, as their members' own."
        : `These clients have no members and go with it: ${lonely.join(", ")}.`}
    </li>
  );
}

/** What goes with the organisation. */
function Losses(): ReactNode {
  const subscription = useSubscription();
  const credits = useCredits();
  const agency = useQuery({ queryKey: CLIENTS, queryFn: loadClients });
  const failed = [subscription, credits, agency].find(({ isError }) => isError);
  if (failed) return <ErrorState query={failed} fallback="Failed to load plan and credits" />;
  if (!subscription.data || !credits.data || !agency.data) return <SkeletonRows count={2} />;
  return (
    <ul className="bullets">
      <li>All members lose access. API keys, webhooks, uploads and results are deleted.</li>
      <li>
        Its plan: <strong>{formatPlan(subscription.data.subscription_plan)}</strong>. It ends now.
      </li>
      <li>
        <UnspentCredits credits={credits.data.credits} lots={credits.data.lots} />. They lapse.
      </li>
      <LostClients clients={agency.data.clients} />
    </ul>
  );
}

function DeleteDialog({ name, onClose }: NameProps): ReactNode {
  const form = useForm({
    defaults: { name: "", password: "" },
    check: (values) => (values.name.trim() === name ? {} : { name: `Type ${name} to confirm` }),
    send: async ({ password }) => {
      await deleteOrganisation(name, password);
      goAway(`${name} is deleted`);
      return true;
    },
    fallback: "The organisation could not be deleted",
  });
  return (
    <Dialog title={`Delete ${name}`} description="This cannot be undone." onClose={onClose}>
      <div className="stack-4">
        <Losses />
        <DialogForm form={form} action="Delete organisation" kind="danger" onCancel={onClose}>
          <EntryField form={form} name="name" label={`Type ${name} to confirm`} spellCheck={false} />
          <PasswordField form={form} name="password" label="Your password" />
        </DialogForm>
      </div>
    </Dialog>
  );
}

interface WaysOutProps {
  organisation: Organisation;
  team: Team;
}

/** What only owners can do; to hand over, there must be somebody who takes it, and no offer that waits. */
function OwnersWays({ organisation: { name, transfer }, team }: WaysOutProps): ReactNode {
  const others = team.members.filter(({ is_you }) => !is_you);
  return (
    <>
      {others.length > 0 && !transfer ? (
        <DialogButton dialog={(close) => <TransferDialog name={name} others={others} onClose={close} />}>
          Transfer ownership
        </DialogButton>
      ) : null}
      <DialogButton kind="danger" dialog={(close) => <DeleteDialog name={name} onClose={close} />}>
        Delete organisation
      </DialogButton>
    </>
  );
}

/** The last owner of others cannot leave them. */
function LeaveButton({ organisation: { name }, team }: WaysOutProps): ReactNode {
  const owners = team.members.filter(({ role }) => role === "owner");
  if (!mayDo("own") || owners.length > 1) {
    return (
      <DialogButton dialog={(close) => <LeaveDialog name={name} onClose={close} />}>
        <span className="break leave-name">Leave {name}</span>
      </DialogButton>
    );
  }
  if (team.members.length < 2) return null;
  return <p className="muted">You are the last owner: transfer the organisation before you leave it.</p>;
}

/** Leaving, handing over and deleting. */
export function WaysOut(props: WaysOutProps): ReactNode {
  const isOwner = mayDo("own");
  return (
    <Section id="ways-out-title" title={isOwner ? "Leave, transfer or delete" : "Leave"} card>
      <div className="row">
        <LeaveButton {...props} />
        {isOwner ? <OwnersWays {...props} /> : null}
      </div>
    </Section>
  );
}
