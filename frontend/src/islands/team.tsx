import { Suspense, type ReactNode } from "react";

import { mayDo, type Right } from "../lib/rights";
import { lazyPart } from "../ui/lazy-part";
import { PageHead } from "../ui/page-head";
import { SkeletonRows } from "../ui/states";
import { Tabs, type Tab } from "../ui/tabs";

const MembersTab = lazyPart(async () => (await import("../features/accounts/team/members-tab")).MembersTab);

const TeamRules = lazyPart(async () => (await import("../features/accounts/rules/team-rules")).TeamRules);
const TeamAudit = lazyPart(async () => (await import("../features/accounts/rules/team-audit")).TeamAudit);
const TeamClients = lazyPart(
  async () => (await import("../features/billing/clients/team-clients")).TeamClients,
);
const BillingDetails = lazyPart(
  async () => (await import("../features/billing/details/billing-details")).BillingDetails,
);

/** The tabs, in order, and what each needs of a role; each loads its own code. */
const TABS: readonly (readonly [key: string, label: string, content: ReactNode, needs: Right])[] = [
  ["members", "Members", <MembersTab />, "look"],
  ["rules", "Rules", <TeamRules />, "look"],
  ["clients", "Clients", <TeamClients />, "manage"],
  ["billing", "Billing details", <BillingDetails />, "pay"],
  ["audit", "Audit log", <TeamAudit />, "manage"],
];

function buildTab([key, label, content]: (typeof TABS)[number]): Tab {
  return { key, label, content: <Suspense fallback={<SkeletonRows count={5} />}>{content}</Suspense> };
}

/** The page Team: who belongs to the organisation, and what holds for all of them. */
export default function Team(): ReactNode {
  return (
    <>
      <PageHead
        title="Team"
        lead="Who belongs to this organisation, what it asks of them, and what was done."
      />
      <Tabs label="Team" tabs={TABS.filter(([, , , needs]) => mayDo(needs)).map(buildTab)} />
    </>
  );
}
