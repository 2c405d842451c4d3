import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Retention as Values } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { describeRefusal, isClosed, mayDo } from "../../../lib/rights";
import { useOptimisticSave } from "../../../lib/use-optimistic-save";
import { KEPT_DAYS_OPTIONS, parseKeptDays } from "../../validation/calls";
import { Checkbox } from "../../../ui/checkbox";
import { Section } from "../../../ui/section";
import { SelectField } from "../../../ui/select";
import { Loaded } from "../../../ui/states";

interface RetentionFieldsProps {
  values: Values;
  save: (change: Partial<Values>) => void;
}

function RetentionFields({ values, save }: RetentionFieldsProps): ReactNode {
  return (
    <fieldset className="stack-4" disabled={!mayDo("manage")}>
      {mayDo("manage") ? null : <p className="hint break">{describeRefusal()}</p>}
      <div className="columns-2 settings-form">
        <SelectField
          label="Keep uploaded files"
          value={`${values.uploads_days}`}
          options={KEPT_DAYS_OPTIONS}
          onChange={(days) => save({ uploads_days: parseKeptDays(days) })}
        />
        <SelectField
          label="Keep results"
          value={`${values.results_days}`}
          options={KEPT_DAYS_OPTIONS}
          onChange={(days) => save({ results_days: parseKeptDays(days) })}
        />
      </div>
      <Checkbox
        label="Keep everything with us"
        hint="No address is sent to an outside provider"
        checked={!values.use_providers}
        onChange={(inHouse) => save({ use_providers: !inHouse })}
      />
    </fieldset>
  );
}

function RetentionValues(): ReactNode {
  const retention = useQuery({
    queryKey: ["retention"],
    queryFn: () => readData(api.GET("/api/user/retention")) as Promise<Values>,
  });
  const save = useOptimisticSave<Values>(
    "retention",
    (body) => readData(api.PUT("/api/user/retention", { body })) as Promise<Values>,
  );
  return (
    <>
      <Loaded query={retention} fallback="Failed to load retention" rows={3}>
        {(values) => <RetentionFields values={values} save={save.mutate} />}
      </Loaded>
      <p className="muted small">
        Totals stay after results are deleted. On paid plans, addresses that our own checks leave open may be
        sent to ZeroBounce, NeverBounce or Kickbox, and each result says who received its address. They keep
        what they were sent by their own rules. <a href="/privacy#processors">More</a>
      </p>
    </>
  );
}

/** How long lists and results are kept, and who else may see addresses. */
export function Retention(): ReactNode {
  return (
    <Section anchor="retention" id="retention-heading" title="Retention and providers" card>
      {isClosed() ? <p className="hint break">{describeRefusal()}</p> : <RetentionValues />}
    </Section>
  );
}
