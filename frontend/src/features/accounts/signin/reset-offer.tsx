import type { ReactNode } from "react";

import { getRefusal } from "../../../lib/errors";
import { ButtonLink } from "../../../ui/button";

/** The way on for whoever had too many wrong passwords. */
export function ResetOffer({ error }: { error: unknown }): ReactNode {
  const link = getRefusal(error, "RATE_LIMIT_EXCEEDED")?.body.reset_link;
  return link === undefined ? null : <ButtonLink href={link}>Reset your password</ButtonLink>;
}
