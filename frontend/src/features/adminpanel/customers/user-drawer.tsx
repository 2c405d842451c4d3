import { useState, type ReactNode } from "react";

import type { StaffUser, UserDetail } from "../../../api/types";
import { formatDateTime, formatMoney, formatNumber, NO_VALUE, formatCount } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { Button } from "../../../ui/button";
import { Facts, type Fact } from "../../../ui/facts";
import { RecordDrawer, type RecordPlace } from "../../../ui/record-drawer";
import { SegmentedControl } from "../../../ui/segmented-control";
import { Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { UserLedger } from "./user-ledger";
import { describeFigures } from "./owned-organisations";
import { useUserDetail } from "./use-user-detail";
import { UserActivity } from "./user-activity";
import { UserHelp } from "./user-help";
import { UserLists } from "./lists/user-lists";
import { UserMarks, PlanBadge } from "./user-badges";

function UserFacts({ user }: Pick<UserDetail, "user">): ReactNode {
  const whose: Fact[] =
    user.owned_organisations.length > 1
      ? [["Plan and credits of", user.own_organisation?.name ?? NO_VALUE]]
      : [];
  const lines: Fact[] = [
    ...whose,
    ["Plan", <PlanBadge key="plan" plan={user.subscription_plan} />],
    ["Credits", formatNumber(user.credits)],
    ["Used this month", formatNumber(user.monthly_usage)],
    ["Joined", formatDateTime(user.created_at)],
    ["Second factor", user.mfa ? "On" : "Off"],
  ];
  return (
    <>
      <div className="user-name">
        <UserMarks user={user} spelled />
      </div>
      <Facts facts={lines}>
        {user.suspension_reason ? (
          <div className="user-suspended">
            <dt>Suspended because</dt>
            <dd>{user.suspension_reason}</dd>
          </div>
        ) : null}
      </Facts>
    </>
  );
}

interface FactListProps {
  title: string;
  none: string;
  lines: readonly (readonly [ReactNode, ReactNode])[];
}

function FactList({ title, none, lines }: FactListProps): ReactNode {
  return (
    <div className="stack-2">
      <h3>{title}</h3>
      {lines.length === 0 ? <p className="muted">{none}</p> : null}
      <ul className="user-matches user-lines">
        {lines.map(([what, detail], index) => (
          <li key={index}>
            <span className="break">{what}</span>
            <span className="muted small">{detail}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Organisation = UserDetail["organisations"][number];

/** What the person is there, and what it has where nobody else answers for that. */
function describeOrganisation(organisation: Organisation): string {
  const { role, via, subscription_plan: plan, credits, monthly_usage } = organisation;
  const as = via ? `Client of ${via}` : toSentenceCase(role);
  if (plan === null || credits === null) return as;
  return `${as} · ${describeFigures(plan, credits)}, ${formatNumber(monthly_usage)} used this month`;
}

function UserProfile({ detail }: { detail: UserDetail }): ReactNode {
  const { user, organisations, lots, payments, batches, sessions } = detail;
  return (
    <div className="stack-4">
      <UserFacts user={user} />
      <UserHelp user={user} />
      <FactList
        title="Organisations"
        none="A member of none."
        lines={organisations.map((one) => [one.name, describeOrganisation(one)])}
      />
      <FactList
        title={user.own_organisation ? `Credits of ${user.own_organisation.name} by lot` : "Credits by lot"}
        none="Nothing to spend."
        lines={lots.map(({ kind, remaining, expires_at }) => [
          `${formatCount(remaining, "credit")}, ${kind}`,
          expires_at ? `until ${formatDateTime(expires_at)}` : "never expires",
        ])}
      />
      <FactList
        title="Newest payments"
        none="No payments."
        lines={payments.map(({ organisation, amount, status, date }) => [
          `${formatMoney(amount)}, ${status} · ${organisation}`,
          formatDateTime(date),
        ])}
      />
      <UserLists user={user} batches={batches} />
      <FactList
        title="Open sessions"
        none="Signed in nowhere."
        lines={sessions.map(({ device, last_used_at }) => [
          device === "" ? NO_VALUE : device,
          <Time key="time" at={last_used_at} />,
        ])}
      />
    </div>
  );
}

const PARTS = { profile: "Profile", ledger: "Ledger", activity: "Activity" } as const;
type TabName = keyof typeof PARTS;

function TabBody({ part, detail }: { part: TabName; detail: UserDetail }): ReactNode {
  if (part === "ledger") return <UserLedger user={detail.user} />;
  if (part === "activity") return <UserActivity id={detail.user.id} />;
  return <UserProfile detail={detail} />;
}

interface DrawerProps {
  place: RecordPlace;
  /** As the list has it, until the account has been loaded. */
  name: string | undefined;
  onAsk: (what: "edit" | "delete", user: StaffUser) => void;
}

/** One account: profile, ledger, activity, and what can be done about it. */
export function UserDrawer({ place, name, onAsk }: DrawerProps): ReactNode {
  const detail = useUserDetail(Number(place.id));
  const user = detail.data?.user;
  const [part, setPart] = useState<TabName>("profile");
  const actions = (
    <>
      <Button
        kind="quiet"
        disabled={user?.is_protected ?? true}
        onClick={() => (user ? onAsk("delete", user) : null)}
      >
        Delete
      </Button>
      <Button kind="primary" disabled={!user} onClick={() => (user ? onAsk("edit", user) : null)}>
        Edit
      </Button>
    </>
  );
  return (
    <RecordDrawer
      place={place}
      title={user?.name ?? name ?? "User"}
      description={user?.email}
      actions={actions}
    >
      <div className="stack-4">
        <SegmentedControl label="Parts of the account" options={PARTS} value={part} onChange={setPart} />
        <Loaded query={detail} fallback="Failed to load the user" rows={6}>
          {(found) => <TabBody key={found.user.id} part={part} detail={found} />}
        </Loaded>
      </div>
    </RecordDrawer>
  );
}
