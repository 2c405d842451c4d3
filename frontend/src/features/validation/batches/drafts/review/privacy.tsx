import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { formatCount } from "../../../../../lib/format";
import { SelectField } from "../../../../../ui/select";
import { KEPT_DAYS_OPTIONS, parseKeptDays } from "../../../calls";
import { InHouseChoice } from "../../in-house-choice";
import { loadRetention } from "../calls";
import type { ReviewPartProps } from "./repairs";

/** What the settings of the account say; without them the words stay general. */
function useAccountRetention() {
  const settings = useQuery({ queryKey: ["retention"], queryFn: loadRetention });
  const { uploads_days = 0, results_days = 0, use_providers = true } = settings.data ?? {};
  const days = `Your settings: file ${formatCount(uploads_days, "day")}, results ${formatCount(results_days, "day")}. `;
  return {
    days: settings.data ? days : "",
    inHouse: !use_providers,
  };
}

/** How long a list is kept, and who sees its addresses. */
export function PrivacyFields({ draft, onChoose }: Omit<ReviewPartProps, "counting">): ReactNode {
  const account = useAccountRetention();
  const { providers, use_providers, retention_days } = draft;
  const inHouse = use_providers === null ? account.inHouse : !use_providers;
  return (
    <div className="stack-4">
      <SelectField
        label="Keep file and results for"
        hint={`${account.days}After that both are deleted; the totals of the list stay in your history.`}
        value={KEPT_DAYS_OPTIONS.find(([days]) => days === String(retention_days))?.[0] ?? ""}
        options={[["", "As in my settings"], ...KEPT_DAYS_OPTIONS]}
        onChange={(days) => onChoose({ retention_days: days ? parseKeptDays(days) : null })}
      />
      <InHouseChoice
        providers={providers}
        checked={inHouse}
        onChange={(kept) => onChoose({ use_providers: !kept })}
      />
    </div>
  );
}
