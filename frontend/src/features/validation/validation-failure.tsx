import type { ReactNode } from "react";
import { toast } from "sonner";

import { getRefusal, getRequestId } from "../../lib/errors";
import { UpgradeLink } from "../../ui/allowed";

const NO_CREDITS = "QUOTA_EXCEEDED";

/** Says in a toast what went wrong; the lack of credits stands on the page alone, with the way to more. */
export function toastFailure(message: string, error: unknown): void {
  if (!getRefusal(error, NO_CREDITS)) toast.error(message);
}

/** What went wrong with a form, kept on the page when the toast is gone. */
export function ValidationFailure({ message, error }: { message: string; error: unknown }): ReactNode {
  const reference = getRequestId(error);
  return (
    <p className="notice notice-danger" role="alert">
      <span>{message}</span>
      {getRefusal(error, NO_CREDITS) ? <UpgradeLink /> : null}
      {reference ? <span className="muted mono break">Reference: {reference}</span> : null}
    </p>
  );
}
