import { useState, type ReactNode } from "react";

import type { Invited, Team } from "../../../api/types";
import { formatLongDate } from "../../../lib/format";
import { mayDo } from "../../../lib/rights";
import { useAction } from "../../../lib/use-action";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { ListRows } from "../../../ui/data-table/list-rows";
import { Section } from "../../../ui/section";
import { refreshTeam, resendInvitation, revokeInvitation } from "./calls";
import { nameRole } from "./role-field";

function describeInvitation({ role, inviter, expires_at }: Invited, { roles }: Team): string {
  const by = inviter ? `, by ${inviter}` : "";
  const has = Date.parse(expires_at) <= Date.now() ? "ended" : "until";
  return `As ${nameRole(roles, role)}${by} · ${has} ${formatLongDate(expires_at)}`;
}

function InvitationActions({ invitation }: { invitation: Invited }): ReactNode {
  const [asked, setAsked] = useState(false);
  const { email } = invitation;
  const resending = useAction(() => resendInvitation(invitation), "The invitation could not be sent", {
    done: () => `A new link is on its way to ${email}`,
    onEnd: refreshTeam,
  });
  return (
    <div className="row">
      <Button
        aria-label={`Resend to ${email}`}
        busy={resending.isPending}
        title="Ends the old link"
        onClick={() => resending.mutate()}
      >
        Resend
      </Button>
      <Button kind="quiet" changes aria-label={`Revoke ${email}`} onClick={() => setAsked(true)}>
        Revoke
      </Button>
      {asked ? (
        <ConfirmDialog
          title="Revoke the invitation?"
          action="Revoke"
          act={() => revokeInvitation(invitation)}
          done={() => `The invitation of ${email} is revoked`}
          failed="The invitation could not be revoked"
          onEnd={refreshTeam}
          onClose={() => setAsked(false)}
        >
          <p>The link that {email} got no longer works.</p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

/** Who is invited and has not come yet. */
export function OpenInvitations({ team }: { team: Team }): ReactNode {
  if (team.invitations.length === 0) return null;
  return (
    <Section id="invitations-title" title="Open invitations" card>
      <ListRows
        rows={team.invitations}
        item={(invitation) => (
          <li key={invitation.id} className="list-row">
            <div className="grow">
              <strong className="break">{invitation.email}</strong>
              <p className="muted small">{describeInvitation(invitation, team)}</p>
            </div>
            {mayDo("manage") ? <InvitationActions invitation={invitation} /> : null}
          </li>
        )}
      />
    </Section>
  );
}
