import { Suspense, useEffect, useState, type ReactNode } from "react";
import { toast } from "sonner";

import { AccessCard } from "../features/adminpanel/access-card";
import { NO_ACCESS, RevokeAccess, useAdminQuery } from "../features/adminpanel/use-admin-query";
import { api, readData } from "../lib/client";
import { takeFlash } from "../lib/flash";
import { stayWhenEnded } from "../lib/session";
import { lazyPart } from "../ui/lazy-part";
import { PageHead } from "../ui/page-head";
import { ErrorState, SkeletonCards, SkeletonPage } from "../ui/states";
import { Tabs, type Tab } from "../ui/tabs";
import { Toaster } from "../ui/toaster";

const ApiMonitorTab = lazyPart(
  async () => (await import("../features/adminpanel/reports/api-monitor-tab")).ApiMonitorTab,
);
const MonitoringTab = lazyPart(
  async () => (await import("../features/adminpanel/monitoring/monitoring-tab")).MonitoringTab,
);
const ApiCreditsTab = lazyPart(
  async () => (await import("../features/adminpanel/providers/api-credits-tab")).ApiCreditsTab,
);
const OverviewTab = lazyPart(
  async () => (await import("../features/adminpanel/reports/overview-tab")).OverviewTab,
);
const RevenueTab = lazyPart(
  async () => (await import("../features/adminpanel/reports/revenue-tab")).RevenueTab,
);
const CreditsTab = lazyPart(
  async () => (await import("../features/adminpanel/customers/credits-tab")).CreditsTab,
);
const CrmTab = lazyPart(async () => (await import("../features/crm/crm-tab")).CrmTab);
const PlansTab = lazyPart(async () => (await import("../features/quotes/custom-plans/plans-tab")).PlansTab);
const QuotesTab = lazyPart(async () => (await import("../features/quotes/staff/quotes-tab")).QuotesTab);
const SystemTab = lazyPart(async () => (await import("../features/adminpanel/system/system-tab")).SystemTab);
const UsersTab = lazyPart(async () => (await import("../features/adminpanel/customers/users-tab")).UsersTab);

stayWhenEnded();

const TABS: readonly (readonly [string, string, ReactNode])[] = [
  ["overview", "Overview", <OverviewTab />],
  ["users", "User Management", <UsersTab />],
  ["quotes", "Quote Generator", <QuotesTab />],
  ["credits", "Credit Management", <CreditsTab />],
  ["revenue", "Revenue Intelligence", <RevenueTab />],
  ["api-monitor", "API Monitor", <ApiMonitorTab />],
  ["plans", "Plan Builder", <PlansTab />],
  ["crm", "CRM & Contracts", <CrmTab />],
  ["system", "System Admin", <SystemTab />],
  ["monitoring", "Monitoring & Alerts", <MonitoringTab />],
  ["api-credits", "API Credits", <ApiCreditsTab />],
];
const PANELS: readonly Tab[] = TABS.map(([key, label, content]) => ({
  key,
  label,
  content: <Suspense fallback={<SkeletonCards count={3} />}>{content}</Suspense>,
}));

function Frame({ onRevoke }: { onRevoke: () => void }): ReactNode {
  const me = useAdminQuery(["me"], () => readData(api.GET("/api/auth/me")));
  const refused = me.data?.is_staff === false;
  useEffect(() => {
    if (!refused) return;
    toast.error(NO_ACCESS);
    onRevoke();
  }, [refused, onRevoke]);
  if (!me.data && me.error) {
    return <ErrorState query={me} fallback="Failed to load the staff area" wholePage />;
  }
  if (!me.data?.is_staff) return <SkeletonPage />;
  return (
    <>
      <PageHead title="Admin Dashboard" lead={`Signed in as ${me.data.name}.`} />
      <div className="staff-tabs">
        <Tabs label="Admin Dashboard" tabs={PANELS} />
      </div>
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
    <RevokeAccess value={revoke}>
      <Toaster />
      {revoked ? <AccessCard /> : <Frame onRevoke={revoke} />}
    </RevokeAccess>
  );
}
