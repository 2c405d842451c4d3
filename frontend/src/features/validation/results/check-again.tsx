import RotateCw from "lucide-react/icons/rotate-cw";
import type { ReactNode } from "react";

import type { Finding, Result } from "../../../api/types";
import { formatDuration } from "../../../lib/format";
import { useAction } from "../../../lib/use-action";
import { useCountdown } from "../../../lib/use-countdown";
import { validateSingle } from "../calls";
import { Button } from "../../../ui/button";

/** Whether nobody was asked, because of a limit of our own. */
export function isNotAsked({ reason }: Pick<Finding, "reason">): boolean {
  return reason === "not_asked";
}

interface CheckAgainButtonProps {
  /** How long it is not worth asking again. */
  seconds: number;
  busy: boolean;
  onAgain: () => void;
  children?: ReactNode;
}

/** Another check, once it is worth asking. */
export function CheckAgainButton({ seconds, busy, onAgain, children }: CheckAgainButtonProps): ReactNode {
  const left = useCountdown(seconds);
  return (
    <div className="row">
      <Button needs="check" busy={busy} disabled={left > 0} onClick={onAgain}>
        <RotateCw size={16} aria-hidden />
        {left > 0 ? `Check again in ${formatDuration(left)}` : "Check again"}
      </Button>
      {children ? <span className="hint">{children}</span> : null}
    </div>
  );
}

interface CheckAgainProps {
  result: Pick<Result, "email_checked">;
  seconds: number;
  onResult: (result: Result) => void;
}

/** Another check of an address that nobody was asked about. */
export function CheckAgain({ result, seconds, onResult }: CheckAgainProps): ReactNode {
  const check = useAction(() => validateSingle(result.email_checked), "Validation failed", {
    onDone: onResult,
  });
  return (
    <CheckAgainButton seconds={seconds} busy={check.isPending} onAgain={() => check.mutate()}>
      Free: this check cost no credit, and only a verdict does.
    </CheckAgainButton>
  );
}
