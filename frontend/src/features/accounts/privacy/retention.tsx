import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { KeptDays, Retention as Values } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatCount } from "../../../lib/format";
import { useOptimisticSave } from "../../../lib/use-optimistic-save";
import { KEPT_DAYS } from "../../validation/calls";
import { Checkbox } from "../../../ui/checkbox";
import { Field } from "../../../ui/field";
import { Loaded } from "../../../ui/states";

interface DaysFieldProps {
  label: string;
  value: KeptDays;
  onChange: (days: KeptDays) => void;
}

function DaysField({ label, value, onChange }: DaysFieldProps): ReactNode {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={value}
          onChange={(event) => onChange(Number(event.target.value) as KeptDays)}
        >
          {KEPT_DAYS.map((days) => (
            <option key={days} value={days}>
              {formatCount(days, "day")}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function RetentionFields({
  values,
  save,
}: {
  values: Values;
  save: (change: Partial<Values>) => void;
}): ReactNode {
  return (
    <>
      <div className="columns-2 settings-form">
        <DaysField
          label="Keep uploaded files"
          value={values.uploads_days}
          onChange={(uploads_days) => save({ uploads_days })}
        />
        <DaysField
          label="Keep results"
          value={values.results_days}
          onChange={(results_days) => save({ results_days })}
        />
      </div>
      <Checkbox
        label="Keep everything in-house"
        hint="No address is sent to an outside provider"
        checked={!values.use_providers}
        onChange={(inHouse) => save({ use_providers: !inHouse })}
      />
    </>
  );
}

/** How long lists and results are kept, and who else may see addresses. */
export function Retention(): ReactNode {
  const retention = useQuery({
    queryKey: ["retention"],
    queryFn: () => readData(api.GET("/api/user/retention")) as Promise<Values>,
  });
  const save = useOptimisticSave<Values>(
    "retention",
    (body) => readData(api.PUT("/api/user/retention", { body })) as Promise<Values>,
  );
  return (
    <section className="card stack-4" aria-labelledby="retention-heading">
      <h2 id="retention-heading">Retention and providers</h2>
      <Loaded query={retention} fallback="Failed to load retention" rows={3}>
        {(values) => <RetentionFields values={values} save={save.mutate} />}
      </Loaded>
      <p className="muted small">
        Totals stay after results are deleted. On paid plans, addresses that our own checks leave open may be
        sent to ZeroBounce, NeverBounce or Kickbox, and each result says who received its address. They keep
        what they were sent by their own rules. <a href="/privacy#processors">More</a>
      </p>
    </section>
  );
}
