import { Construction } from "lucide-react";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { toast } from "sonner";

import { AccessCard } from "../features/staff/access-card";
import { NO_ACCESS, Revoke, useAdminQuery } from "../lib/admin";
import { api, dataOf } from "../lib/client";
import { takeFlash } from "../lib/flash";
import { stayWhenEnded } from "../lib/session";
import { PageHead } from "../ui/page-head";
import { Empty, ErrorState, SkeletonCards, SkeletonPage } from "../ui/states";
import { Tabs, type Tab } from "../ui/tabs";
import { Toaster } from "../ui/toaster";

const ApiCreditsTab = lazy(async () => ({
  default: (await import("../features/staff/api-credits/api-credits-tab")).ApiCreditsTab,
}));

const OverviewTab = lazy(async () => ({
  default: (await import("../features/staff/overview/overview-tab")).OverviewTab,
}));

const RevenueTab = lazy(async () => ({
  default: (await import("../features/staff/revenue/revenue-tab")).RevenueTab,
}));

const CreditsTab = lazy(async () => ({
  default: (await import("../features/staff/credits/credits-tab")).CreditsTab,
}));

const CrmTab = lazy(async () => ({
  default: (await import("../features/staff/crm/crm-tab")).CrmTab,
}));

const PlansTab = lazy(async () => ({
  default: (await import("../features/staff/plans/plans-tab")).PlansTab,
}));

const QuotesTab = lazy(async () => ({
  default: (await import("../features/staff/quotes/quotes-tab")).QuotesTab,
}));

const SystemTab = lazy(async () => ({
  default: (await import("../features/staff/system/system-tab")).SystemTab,
}));

const UsersTab = lazy(async () => ({
  default: (await import("../features/staff/users/users-tab")).UsersTab,
}));

stayWhenEnded();

const TABS: readonly (readonly [string, string, string])[] = [
  ["overview", "Overview", "Totals of users, revenue and validations"],
  ["users", "User Management", "Accounts, their plans and their credits"],
  ["quotes", "Quote Generator", "Requests of customers and quotes for them"],
  ["credits", "Credit Management", "Grants of credits"],
  ["revenue", "Revenue Intelligence", "Revenue by plan and recent payments"],
  ["api-monitor", "API Monitor", "Health and speed of the API"],
  ["plans", "Plan Builder", "Custom plans and requests for them"],
  ["crm", "CRM & Contracts", "Deals and contracts"],
  ["system", "System Admin", "Statistics and logs of the system"],
  ["monitoring", "Monitoring & Alerts", "Services, incidents and alerts"],
  ["api-credits", "API Credits", "Credits left at outside providers"],
];

function panel(label: string, what: string): ReactNode {
  return (
    <section className="card" aria-label={label}>
      <Empty icon={Construction} title={`${label} is not built yet`}>
        {what} will be here.
      </Empty>
    </section>
  );
}

const BUILT: Partial<Record<string, ReactNode>> = {
  overview: <OverviewTab />,
  users: <UsersTab />,
  quotes: <QuotesTab />,
  credits: <CreditsTab />,
  revenue: <RevenueTab />,
  plans: <PlansTab />,
  crm: <CrmTab />,
  system: <SystemTab />,
  "api-credits": <ApiCreditsTab />,
};
const PANELS: readonly Tab[] = TABS.map(([key, label, what]) => ({
  key,
  label,
  content: <Suspense fallback={<SkeletonCards count={3} />}>{BUILT[key] ?? panel(label, what)}</Suspense>,
}));

function Frame({ onRevoke }: { onRevoke: () => void }): ReactNode {
  const me = useAdminQuery(["me"], () => dataOf(api.GET("/api/auth/me")));
  const refused = me.data?.is_staff === false;
  useEffect(() => {
    if (!refused) return;
    toast.error(NO_ACCESS);
    onRevoke();
  }, [refused, onRevoke]);
  if (me.isError) return <ErrorState query={me} fallback="Failed to load the staff area" wholePage />;
  if (!me.data?.is_staff) return <SkeletonPage />;
  return (
    <>
      <PageHead title="Admin Dashboard" lead={`Signed in as ${me.data.name}.`} />
      <Tabs label="Admin Dashboard" tabs={PANELS} />
    </>
  );
}

/** The staff area. Nothing of it is shown before the server has said that the visitor is staff. */
export default function Admin(): ReactNode {
  const [revoked, setRevoked] = useState(false);
  const [revoke] = useState(() => () => setRevoked(true));
  useEffect(() => {
    const message = takeFlash();
    if (message) toast.success(message);
  }, []);
  return (
    <Revoke value={revoke}>
      <Toaster />
      {revoked ? <AccessCard /> : <Frame onRevoke={revoke} />}
    </Revoke>
  );
}
