import FileText from "lucide-react/icons/file-text";
import type { ReactNode } from "react";

import type { Batch } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { Button } from "../../../ui/button";
import { saveReport } from "./server-export";

/** One page about the list, to hand on: counts and advice, no address. */
export function ReportButton({ batch }: { batch: Batch }): ReactNode {
  const saving = useAction(() => saveReport(batch), "The report could not be made", {
    done: (name) => `Report saved: ${name}`,
  });
  return (
    <Button busy={saving.isPending} changes={false} onClick={() => saving.mutate()}>
      <FileText size={16} aria-hidden />
      PDF report
    </Button>
  );
}
