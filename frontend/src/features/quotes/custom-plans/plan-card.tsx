import CircleCheck from "lucide-react/icons/circle-check";
import CircleOff from "lucide-react/icons/circle-off";
import type { ReactNode } from "react";

import type { CustomPlan } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { reloadAdmin } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatMoney, formatNumber } from "../../../lib/format";
import { Badge, type Look } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { CUSTOM_PLANS } from "./plan-features";
import { Facts } from "../../../ui/facts";

const SHOWN = 3;

const ACTIVE: Look = ["Active", "plain", CircleCheck];
const INACTIVE: Look = ["Inactive", "plain", CircleOff];

function Features({ features }: { features: string[] }): ReactNode {
  if (features.length === 0) return <p className="muted small">No features listed.</p>;
  const more = features.slice(SHOWN);
  return (
    <ul className="custom-plan-features small">
      {features.slice(0, SHOWN).map((feature) => (
        <li key={feature} className="break">
          {feature}
        </li>
      ))}
      {more.length > 0 ? (
        <li className="muted" title={more.join(", ")}>
          +{more.length} more
        </li>
      ) : null}
    </ul>
  );
}

/** Turned off, a plan can no longer be assigned; who has it keeps it. */
function useSwitchPlan(plan: CustomPlan) {
  const params = { path: { plan_id: plan.id } };
  const turn = useAction(
    (isActive: boolean) =>
      readData(api.PUT("/api/admin/custom-plans/{plan_id}", { params, body: { isActive } })),
    "Failed to save custom plan",
    {
      says: "described",
      done: (_, isActive) => `${plan.name} is ${isActive ? "active" : "inactive"}`,
      undo: (_, isActive) => turn.mutate(!isActive),
      onEnd: () => reloadAdmin(...CUSTOM_PLANS),
    },
  );
  return turn;
}

function PlanActions({ plan, onAction }: CardProps): ReactNode {
  const turn = useSwitchPlan(plan);
  const act = (action: PlanAction) => () => onAction(action, plan);
  const turned = plan.isActive ? "Deactivate" : "Activate";
  return (
    <div className="row custom-plan-actions">
      <Button aria-label={`Edit ${plan.name}`} onClick={act("edit")}>
        Edit
      </Button>
      <Button aria-label={`Clone ${plan.name}`} onClick={act("clone")}>
        Clone
      </Button>
      {plan.isActive ? (
        <Button aria-label={`Assign ${plan.name}`} onClick={act("assign")}>
          Assign
        </Button>
      ) : null}
      <Button
        kind="quiet"
        busy={turn.isPending}
        aria-label={`${turned} ${plan.name}`}
        onClick={() => turn.mutate(!plan.isActive)}
      >
        {turned}
      </Button>
    </div>
  );
}

export type PlanAction = "edit" | "clone" | "assign";

interface CardProps {
  plan: CustomPlan;
  onAction: (action: PlanAction, plan: CustomPlan) => void;
}

/** A plan with its terms, and what can be done with it. */
export function PlanCard({ plan, onAction }: CardProps): ReactNode {
  const id = `custom-plan-${plan.id}`;
  return (
    <li className="card custom-plan" aria-labelledby={id}>
      <div className="row row-between custom-plan-head">
        <h3 id={id} className="break">
          {plan.name}
        </h3>
        <Badge look={plan.isActive ? ACTIVE : INACTIVE} />
      </div>
      <p className="muted small break">For {plan.targetCustomer}</p>
      {plan.description ? <p className="break">{plan.description}</p> : null}
      <Facts
        className="custom-plan-terms"
        facts={[
          ["Monthly", formatMoney(plan.monthlyPrice)],
          ["Yearly", formatMoney(plan.yearlyPrice)],
          ["Credits a month", formatNumber(plan.credits)],
        ]}
      />
      <Features features={plan.features} />
      <PlanActions plan={plan} onAction={onAction} />
    </li>
  );
}
