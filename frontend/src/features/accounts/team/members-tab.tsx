import type { ReactNode } from "react";

import type { Organisation, Team } from "../../../api/types";
import { formatNumber } from "../../../lib/format";
import { describeRefusal, mayDo } from "../../../lib/rights";
import { useForm } from "../../../lib/use-form";
import { DialogButton } from "../../../ui/dialog-button";
import { TextField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { Section } from "../../../ui/section";
import { ErrorState, EmptyState, SkeletonRows } from "../../../ui/states";
import { navigation } from "../../../lib/session";
import { renameOrganisation, useOrganisation, useTeam } from "./calls";
import { InviteDialog } from "./invite-dialog";
import { MembersTable } from "./members-table";
import { OpenInvitations } from "./open-invitations";
import { PendingTransfer } from "./transfer";
import { WaysOut } from "./ways-out";

interface PartProps {
  organisation: Organisation;
  team: Team;
}

/** The header names the organisation too: the page is made anew. */
function RenameDialog({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  const form = useForm({
    defaults: { name },
    check: (values) => (values.name.trim() === "" ? { name: "Enter a name" } : {}),
    send: async (values) => {
      await renameOrganisation(values.name.trim());
      navigation.reload();
      return true;
    },
    fallback: "The name could not be changed",
  });
  return (
    <FormDialog title="Rename the organisation" form={form} action="Save name" onClose={onClose}>
      <TextField form={form} name="name" label="Name" autoComplete="organization" maxLength={100} />
    </FormDialog>
  );
}

function NameCard({ organisation: { name, seats, invitations, agency } }: PartProps): ReactNode {
  return (
    <Section
      id="organisation-title"
      title={<span className="break">{name}</span>}
      card
      aside={
        mayDo("manage") ? (
          <DialogButton dialog={(close) => <RenameDialog name={name} onClose={close} />}>Rename</DialogButton>
        ) : null
      }
    >
      <p className="muted nums">
        {formatNumber(seats.used)} of {formatNumber(seats.most)} seats used · {formatNumber(invitations.open)}{" "}
        of {formatNumber(invitations.most)} invitations open
      </p>
      {agency ? <p className="muted">A client of {agency.name}.</p> : null}
    </Section>
  );
}

function InviteButton({ organisation: { name }, team: { roles } }: PartProps): ReactNode {
  return (
    <DialogButton
      kind="primary"
      needs="manage"
      dialog={(close) => <InviteDialog organisation={name} roles={roles} onClose={close} />}
    >
      Invite
    </DialogButton>
  );
}

function People(parts: PartProps): ReactNode {
  const { organisation, team } = parts;
  const alone = team.members.length < 2;
  return (
    <>
      <PendingTransfer organisation={organisation} />
      <Section id="members-title" title="Members" aside={alone ? null : <InviteButton {...parts} />}>
        {alone ? (
          <EmptyState title="Only you so far" action={<InviteButton {...parts} />}>
            Invite people to share lists, credits and invoices, each with a role.
          </EmptyState>
        ) : (
          <MembersTable team={team} organisation={organisation.name} />
        )}
        {mayDo("manage") ? null : <p className="hint break">{describeRefusal()}</p>}
      </Section>
      <OpenInvitations team={team} />
      <WaysOut {...parts} />
    </>
  );
}

/** The tab Members: the name, who belongs to it, who is invited, and the ways out. */
export function MembersTab(): ReactNode {
  const organisation = useOrganisation();
  const team = useTeam();
  const failed = [organisation, team].find(({ isError }) => isError);
  if (failed) return <ErrorState query={failed} fallback="Failed to load the team" />;
  if (!organisation.data || !team.data) return <SkeletonRows count={5} />;
  const parts = { organisation: organisation.data, team: team.data };
  return (
    <div className="stack">
      <NameCard {...parts} />
      <People {...parts} />
      <p className="muted small">
        People sign in with a password or with Google. Single sign-on by SAML is not offered.
      </p>
    </div>
  );
}
