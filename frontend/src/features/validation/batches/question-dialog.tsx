import type { ReactNode } from "react";

import { getErrorMessage } from "../../../lib/errors";
import { ActDialog } from "../../../ui/act-dialog";
import { getMessage, useAction } from "../../../lib/use-action";
import { ValidationFailure } from "../validation-failure";

interface QuestionDialogProps {
  title: string;
  /** What will happen, and what it costs. */
  children: ReactNode;
  /** The name of the deed, and of leaving it. */
  yes: string;
  no: string;
  danger?: boolean;
  fallback: string;
  act: () => Promise<{ message: string }>;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before something is done to a batch, does it, and says what the server says. */
export function QuestionDialog(props: QuestionDialogProps): ReactNode {
  const { title, children, yes, no, danger = false, fallback, act, onDone, onClose } = props;
  const deed = useAction(act, fallback, {
    done: getMessage,
    says: "here",
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <ActDialog
      title={title}
      action={yes}
      kind={danger ? "danger" : "primary"}
      busy={deed.isPending}
      onAct={() => deed.mutate()}
      cancel={no}
      onClose={onClose}
    >
      <div className="stack-4">
        {children}
        {deed.isError ? (
          <ValidationFailure message={getErrorMessage(deed.error, fallback)} error={deed.error} />
        ) : null}
      </div>
    </ActDialog>
  );
}
