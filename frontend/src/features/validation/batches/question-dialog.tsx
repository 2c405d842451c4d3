import type { ComponentProps, ReactNode } from "react";

import { getErrorMessage } from "../../../lib/errors";
import { ActDialog } from "../../../ui/dialog";
import { getMessage, useAction } from "../../../lib/use-action";
import { ValidationFailure } from "../validation-failure";

interface QuestionDialogProps extends Omit<ComponentProps<typeof ActDialog>, "busy" | "onAct"> {
  fallback: string;
  act: () => Promise<{ message: string }>;
  onDone: () => void;
}

/** Asks before something is done to a batch, does it, and says what the server says. */
export function QuestionDialog(props: QuestionDialogProps): ReactNode {
  const { fallback, act, onDone, children, ...dialog } = props;
  const deed = useAction(act, fallback, {
    done: getMessage,
    says: "here",
    onDone: () => {
      onDone();
      dialog.onClose();
    },
  });
  return (
    <ActDialog {...dialog} busy={deed.isPending} onAct={() => deed.mutate()}>
      <div className="stack-4">
        {children}
        {deed.isError ? (
          <ValidationFailure message={getErrorMessage(deed.error, fallback)} error={deed.error} />
        ) : null}
      </div>
    </ActDialog>
  );
}
