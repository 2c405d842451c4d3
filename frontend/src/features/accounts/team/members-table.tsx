import { useState, type ReactNode } from "react";

import type { Member, Team } from "../../../api/types";
import { formatNumber, NO_VALUE } from "../../../lib/format";
import { mayDo } from "../../../lib/rights";
import { Badge } from "../../../ui/badge";
import { DataTable } from "../../../ui/data-table/data-table";
import { actionsColumn, numberColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { RowMenu } from "../../../ui/row-menu";
import { Time } from "../../../ui/values";
import { CapDialog } from "../../billing/caps/cap-dialog";
import { refreshTeam } from "./calls";
import { RemoveDialog, RoleDialog } from "./member-dialogs";
import { nameRole } from "./role-field";

interface MemberActionsProps {
  member: Member;
  team: Team;
  organisation: string;
}

/** Only who may give somebody's role may take it away. */
function mayChange({ roles }: Team, { role, is_you }: Member): boolean {
  return !is_you && roles.some((one) => one.role === role && one.may_give);
}

/** Owners' caps, and the own one, are set by owners. */
function mayCap({ role, is_you }: Member): boolean {
  return mayDo("own") || !(is_you || role === "owner");
}

function MemberActions({ member, team, organisation }: MemberActionsProps): ReactNode {
  const [step, setStep] = useState<"role" | "cap" | "remove" | null>(null);
  const close = () => setStep(null);
  const mayGive = mayChange(team, member);
  const offered = [
    { words: "Change role", name: `Change role of ${member.name}`, step: "role", may: mayGive },
    { words: "Set a cap", name: `Set a cap for ${member.name}`, step: "cap", may: mayCap(member) },
    { words: "Remove", name: `Remove ${member.name}`, step: "remove", may: mayGive },
  ] as const;
  const actions = offered
    .filter(({ may }) => may)
    .map(({ words, name, step: next }) => ({ words, name, act: () => setStep(next) }));
  if (actions.length === 0) return null;
  return (
    <>
      <RowMenu row={member.name} actions={actions} />
      {step === "role" ? (
        <RoleDialog member={member} organisation={organisation} roles={team.roles} onClose={close} />
      ) : null}
      {step === "cap" ? <CapDialog member={member} onSaved={refreshTeam} onClose={close} /> : null}
      {step === "remove" ? (
        <RemoveDialog member={member} organisation={organisation} onClose={close} />
      ) : null}
    </>
  );
}

function SecondFactorMark({ has }: { has: boolean | null }): ReactNode {
  if (has === null) return NO_VALUE;
  return <Badge look={has ? ["On", "valid"] : ["Off", "plain"]} />;
}

function buildColumns(team: Team, organisation: string): readonly Column<Member>[] {
  const columns: Column<Member>[] = [
    textColumn(
      "member",
      "Member",
      ({ name, is_you }) => (
        <span className="row">
          <strong className="break">{name}</strong>
          {is_you ? <Badge look={["You", "plain"]} /> : null}
        </span>
      ),
      { note: ({ email }) => email, labelled: false },
    ),
    textColumn("role", "Role", ({ role }) => nameRole(team.roles, role)),
    textColumn("active", "Last active", ({ last_active_at }) =>
      last_active_at ? <Time at={last_active_at} /> : "Never",
    ),
    numberColumn("credits", "Credits this month", ({ credits_this_month }) => credits_this_month, {
      note: ({ monthly_cap }) => (monthly_cap === null ? null : `of ${formatNumber(monthly_cap)}`),
    }),
  ];
  if (!mayDo("manage")) return columns;
  return [
    ...columns,
    textColumn("second-factor", "Second factor", ({ has_second_factor }) => (
      <SecondFactorMark has={has_second_factor} />
    )),
    actionsColumn((member) => <MemberActions member={member} team={team} organisation={organisation} />),
  ];
}

/** Who belongs to the organisation. */
export function MembersTable({ team, organisation }: { team: Team; organisation: string }): ReactNode {
  return (
    <DataTable
      label="Members"
      columns={buildColumns(team, organisation)}
      rows={team.members}
      getKey={({ id }) => id}
      phone="cards"
    />
  );
}
