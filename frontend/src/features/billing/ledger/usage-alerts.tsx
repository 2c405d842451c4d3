import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { UsageAlerts as Values } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useOptimisticSave } from "../../../lib/use-optimistic-save";
import { Button } from "../../../ui/button";
import { Checkbox } from "../../../ui/checkbox";
import { Field } from "../../../ui/field";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";

const MOST = 100_000_000;
const NO_NUMBER = "Enter a whole number of credits, or nothing for no alert";

interface LowBalanceFormProps {
  value: number | null;
  onSave: (value: number | null) => void;
}

function LowBalanceForm({ value, onSave }: LowBalanceFormProps): ReactNode {
  const [text, setText] = useState(value === null ? "" : String(value));
  const [wrong, setWrong] = useState(false);
  const submit = () => {
    const number = text.trim() === "" ? null : Number(text);
    const fits = number === null || (Number.isInteger(number) && number >= 1 && number <= MOST);
    setWrong(!fits);
    if (fits) onSave(number);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="Tell me when the balance is below"
        hint="In credits; told by mail and as the event credits.low. Leave it empty for no alert."
        error={wrong ? NO_NUMBER : undefined}
      >
        {(control) => (
          <div className="input-row low-balance">
            <input
              {...control}
              className="input"
              size={9}
              inputMode="numeric"
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <Button type="submit">Save</Button>
          </div>
        )}
      </Field>
    </form>
  );
}

/** Which mails about credits are wanted; each change is saved at once. */
export function UsageAlerts(): ReactNode {
  const alerts = useQuery({
    queryKey: ["usage-alerts"],
    queryFn: () => readData(api.GET("/api/user/usage-alerts")) as Promise<Values>,
  });
  const save = useOptimisticSave<Values>(
    "usage-alerts",
    (body) => readData(api.PUT("/api/user/usage-alerts", { body })) as Promise<Values>,
  );
  return (
    <Section id="usage-alerts-heading" title="Usage alerts" card anchor="usage-alerts">
      <Loaded query={alerts} fallback="Failed to load usage alerts" rows={3}>
        {(values) => (
          <>
            <div>
              <Checkbox
                label="At 80%"
                hint="When 80% of the month's plan credits are used"
                checked={values.warn_80}
                onChange={(warn_80) => save.mutate({ warn_80 })}
              />
              <Checkbox
                label="At 100%"
                hint="When credits are used up, or are not enough for a list"
                checked={values.warn_100}
                onChange={(warn_100) => save.mutate({ warn_100 })}
              />
            </div>
            <LowBalanceForm
              value={values.low_balance}
              onSave={(low_balance) => save.mutate({ low_balance })}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
