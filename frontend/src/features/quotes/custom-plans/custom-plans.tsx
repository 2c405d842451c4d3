import { Layers, SearchX } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { CustomPlan, paths } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatCount } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { Select, findOption } from "../../adminpanel/select";
import { PageButtons, usePages } from "../../adminpanel/pagination";
import { AssignDialog } from "./assign-dialog";
import { CUSTOM_PLANS } from "./plan-features";
import { PlanCard, type PlanAction } from "./plan-card";
import { CreatePlanDialog, EditPlanDialog } from "./plan-form";

const STATES = [
  ["", "All plans"],
  ["active", "Active"],
  ["inactive", "Inactive"],
] as const;

type Query = NonNullable<paths["/api/admin/custom-plans"]["get"]["parameters"]["query"]>;

function useFilters() {
  const [url, update] = useUrlState();
  const state = findOption(STATES, url.get("plans"), "");
  return {
    search: url.get("plan") ?? "",
    state,
    active: state === "" ? {} : { active: state === "active" },
    setSearch: (plan: string) => update({ plan }, "replace"),
    setState: (plans: string) => update({ plans }),
    clear: () => update({ plan: null, plans: null }),
  };
}

type Filters = ReturnType<typeof useFilters>;

function usePlans(query: Query) {
  return useAdminQuery([...CUSTOM_PLANS, query], () =>
    readData(api.GET("/api/admin/custom-plans", { params: { query } })),
  );
}

function Tools({ filters }: { filters: Filters }): ReactNode {
  return (
    <div className="toolbar">
      <SearchField
        label="Search custom plans"
        hint="Search by name or customer"
        value={filters.search}
        onSearch={filters.setSearch}
      />
      <Select label="State" value={filters.state} options={STATES} onChange={filters.setState} />
    </div>
  );
}

interface NoPlansProps {
  filters: Filters;
  filtered: boolean;
  onCreate: () => void;
}

function NoPlans({ filters, filtered, onCreate }: NoPlansProps): ReactNode {
  return filtered ? (
    <EmptyState
      icon={SearchX}
      title="No custom plan matches"
      action={<Button onClick={filters.clear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      icon={Layers}
      title="No custom plans yet"
      action={<Button onClick={onCreate}>Create one</Button>}
    >
      Plans that you make, and those of approved quotes, are listed here.
    </EmptyState>
  );
}

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
  const filters = useFilters();
  const { search, state, active } = filters;
  const [cursors, setCursors] = usePages(`${search}\n${state}`);
  const plans = usePlans({ search, cursor: cursors.at(-1) ?? "", ...active });
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const create = () => setOpened({ action: "create" });
  const filtered = search + state !== "";
  return (
    <section className="stack-4" aria-labelledby="custom-plans-heading">
      <div className="row row-between">
        <h2 id="custom-plans-heading">Custom plans</h2>
        <Button kind="primary" onClick={create}>
          Create Custom Plan
        </Button>
      </div>
      {plans.data?.total === 0 && !filtered ? null : <Tools filters={filters} />}
      <Loaded query={plans} fallback="Failed to load custom plans" rows={4}>
        {(found) =>
          found.plans.length === 0 ? (
            <NoPlans filters={filters} filtered={filtered} onCreate={create} />
          ) : (
            <>
              <ul className="custom-plans">
                {found.plans.map((plan) => (
                  <PlanCard
                    key={plan.id}
                    plan={plan}
                    onAction={(action, one) => setOpened({ action, plan: one })}
                  />
                ))}
              </ul>
              <div className="row row-between">
                <p className="muted small nums">{formatCount(found.total, "plan")}</p>
                <PageButtons next={found.next} cursors={cursors} onChange={setCursors} />
              </div>
            </>
          )
        }
      </Loaded>
      {opened ? <PlanDialog opened={opened} onClose={() => setOpened(null)} /> : null}
    </section>
  );
}
