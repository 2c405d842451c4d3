import { useState, type ReactNode } from "react";

import type { CustomPlan } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { Button } from "../../../ui/button";
import { AssignDialog } from "./assign-dialog";
import { CUSTOM_PLANS } from "./plan-features";
import { PlanCard, type PlanAction } from "./plan-card";
import { CreatePlanDialog, EditPlanDialog } from "./plan-form";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryList } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { CursorPager, BY_TIME } from "../../../ui/data-table/pager";
import { useAdminRows } from "../../adminpanel/use-admin-query";
import { Section } from "../../../ui/section";

const STATES = [
  ["", "All plans"],
  ["active", "Active"],
  ["inactive", "Inactive"],
] as const;

const FILTERS = {
  plan: { label: "Search custom plans", hint: "Search by name or customer" },
  plans: { label: "State", options: STATES },
};

type OpenDialog = { action: "create" } | { action: PlanAction; plan: CustomPlan };

function PlanDialog({ opened, onClose }: { opened: OpenDialog; onClose: () => void }): ReactNode {
  switch (opened.action) {
    case "create":
      return <CreatePlanDialog like={null} onClose={onClose} />;
    case "clone":
      return <CreatePlanDialog like={opened.plan} onClose={onClose} />;
    case "edit":
      return <EditPlanDialog plan={opened.plan} onClose={onClose} />;
    case "assign":
      return <AssignDialog plan={opened.plan} onClose={onClose} />;
  }
}

/** The plans that staff made: looked through, made, changed, copied, assigned. */
export function CustomPlans(): ReactNode {
  const view = useTableView(FILTERS);
  const { plan: search, plans: state } = view.values;
  const active = state === "" ? {} : { active: state === "active" };
  const query = { search, cursor: view.cursor, ...active };
  const plans = useAdminRows([...CUSTOM_PLANS, query], () =>
    readData(api.GET("/api/admin/custom-plans", { params: { query } })),
  );
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const create = () => setOpened({ action: "create" });
  return (
    <Section
      id="custom-plans-heading"
      title="Custom plans"
      aside={
        <Button kind="primary" onClick={create}>
          Create Custom Plan
        </Button>
      }
    >
      {plans.data?.total === 0 && !view.filtered ? null : <FilterBar view={view} />}
      <QueryList
        query={plans}
        fallback="Failed to load custom plans"
        skeleton={4}
        view={view}
        pick={(found) => found.plans}
        empty={{
          title: "No custom plans yet",
          text: "Plans that you make, and those of approved quotes, are listed here.",
          action: <Button onClick={create}>Create one</Button>,
        }}
        noMatch={{ title: "No custom plan matches" }}
        foot={(found) => <CursorPager {...found} view={view} thing="plan" words={BY_TIME} />}
        className="custom-plans"
        item={(plan) => (
          <PlanCard key={plan.id} plan={plan} onAction={(action, one) => setOpened({ action, plan: one })} />
        )}
      />
      {opened ? <PlanDialog opened={opened} onClose={() => setOpened(null)} /> : null}
    </Section>
  );
}
