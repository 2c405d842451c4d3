import type { ComponentProps, ReactNode } from "react";

import {
  describeFailure,
  getMessage,
  useAction,
  type ActionOptions,
  type FailureWords,
} from "../lib/use-action";
import { ActDialog } from "./dialog";
import { Failure } from "./form";

interface ConfirmDialogProps<Answer>
  extends
    Pick<ActionOptions<Answer, void>, "says" | "onEnd">,
    Pick<ComponentProps<typeof ActDialog>, "title" | "action" | "kind" | "onClose" | "children"> {
  /** Does it; this closes then, and when it failed, unless it says that here. */
  act: () => Promise<Answer>;
  /** What a toast says when it is done; else what the server says. */
  done?: (answer: Answer) => string | null;
  failed: FailureWords;
  /** What comes of it, instead of closing. */
  onDone?: (answer: Answer) => void;
}

/** Asks before something that cannot be taken back, or that the whole installation feels, and does it. */
export function ConfirmDialog<Answer>(props: ConfirmDialogProps<Answer>): ReactNode {
  const { act, done = getMessage, failed, says = "toast", onEnd, children, ...dialog } = props;
  const { onClose, onDone = onClose, kind = "danger" } = props;
  const doing = useAction(act, failed, {
    done,
    says,
    onDone,
    onEnd: (answer) => {
      if (answer === undefined && says !== "here") onClose();
      return onEnd?.(answer);
    },
  });
  return (
    <ActDialog {...dialog} kind={kind} busy={doing.isPending} onAct={() => doing.mutate()} closable={false}>
      <div className="stack-4">
        {children}
        <Failure>{says === "here" && doing.isError ? describeFailure(doing.error, failed) : null}</Failure>
      </div>
    </ActDialog>
  );
}
