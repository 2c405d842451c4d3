import type { ReactNode } from "react";

import {
  describeFailure,
  getMessage,
  useAction,
  type ActionOptions,
  type FailureWords,
} from "../lib/use-action";
import { Failure } from "./form";
import { ActDialog } from "./act-dialog";

interface ConfirmDialogProps<Answer> extends Pick<ActionOptions<Answer, void>, "says" | "onEnd"> {
  title: string;
  /** What is pressed to do it. */
  action: string;
  /** Danger, unless nothing is lost by it. */
  kind?: "danger" | "primary";
  /** Does it; this closes then, and when it failed, unless it says that here. */
  act: () => Promise<Answer>;
  /** What a toast says when it is done; else what the server says. */
  done?: (answer: Answer) => string | null;
  failed: FailureWords;
  /** What comes of it, instead of closing. */
  onDone?: (answer: Answer) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something that cannot be taken back, or that the whole installation feels, and does it. */
export function ConfirmDialog<Answer>(props: ConfirmDialogProps<Answer>): ReactNode {
  const {
    title,
    action,
    kind = "danger",
    act,
    done = getMessage,
    failed,
    says = "toast",
    onClose,
    children,
  } = props;
  const { onDone = onClose, onEnd } = props;
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
    <ActDialog
      title={title}
      action={action}
      kind={kind}
      busy={doing.isPending}
      onAct={() => doing.mutate()}
      onClose={onClose}
      closable={false}
    >
      <div className="stack-4">
        {children}
        <Failure>{says === "here" && doing.isError ? describeFailure(doing.error, failed) : null}</Failure>
      </div>
    </ActDialog>
  );
}
