import Lock from "lucide-react/icons/lock";
import type { ReactNode } from "react";

import type { Batch, BatchDetail } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { changeBatch, refreshBatch, refreshHistory } from "../calls";
import { ONLY_ME } from "./private-choice";
import { useListAccess } from "./use-list-access";

/** Marks a list that other members do not see. */
export function PrivateMark({ batch }: { batch: Pick<Batch, "private"> }): ReactNode {
  return batch.private ? <Badge look={[ONLY_ME, "plain", Lock]} /> : null;
}

/** Hides a list from other members, or shows it to them. */
export function SharingButton({ batch }: { batch: BatchDetail }): ReactNode {
  const { isShared } = useListAccess();
  const hidden = !batch.private;
  const changing = useAction(
    () => changeBatch(batch.batch_id, { private: hidden }),
    "Who sees the list could not be changed",
    {
      done: () => (hidden ? "Only you and admins see this list" : "All members see this list"),
      onDone: () => {
        refreshBatch(batch.batch_id);
        refreshHistory();
      },
    },
  );
  if (!batch.may_share || !(isShared || batch.private)) return null;
  return (
    <Button kind="quiet" busy={changing.isPending} onClick={() => changing.mutate()}>
      {hidden ? ONLY_ME : "Show to all members"}
    </Button>
  );
}
