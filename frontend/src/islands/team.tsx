import { Suspense, type ReactNode } from "react";

import { lazyPart } from "../ui/lazy-part";
import { PageHead } from "../ui/page-head";
import { SkeletonRows } from "../ui/states";
import { Tabs, type Tab } from "../ui/tabs";

const MembersTab = lazyPart(async () => (await import("../features/accounts/team/members-tab")).MembersTab);

/** The tabs, in order; each loads its own code. */
const TABS: readonly (readonly [key: string, label: string, content: ReactNode])[] = [
  ["members", "Members", <MembersTab />],
];

function buildTab([key, label, content]: (typeof TABS)[number]): Tab {
  return { key, label, content: <Suspense fallback={<SkeletonRows count={5} />}>{content}</Suspense> };
}

/** The page Team: who belongs to the organisation, and what holds for all of them. */
export default function Team(): ReactNode {
  return (
    <>
      <PageHead title="Team" lead="Who belongs to this organisation, and as what." />
      <Tabs label="Team" tabs={TABS.map(buildTab)} />
    </>
  );
}
