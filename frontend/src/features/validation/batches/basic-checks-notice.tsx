import type { ReactNode } from "react";

import { formatNumber, formatCount } from "../../../lib/format";
import { lacksChecks, useCredits, useSubscription } from "../../billing/subscriptions/use-subscription";
import { Button } from "../../../ui/button";
import { Term } from "../../../ui/term";
import type { AddressList } from "./address-list";

/** How many full checks of its first month an account on Free has left; 0 for one that has them all by its plan. */
function useFullChecksLeft(): number {
  const { data } = useSubscription();
  const credits = useCredits().data;
  return data && credits && lacksChecks(data) ? credits.welcome_credits : 0;
}

interface BasicChecksNoticeProps {
  left: number;
  /** How many different addresses the list has. */
  addresses: number;
  busy: boolean;
  onFirst: () => void;
}

/** Before the start of a list that the full checks do not cover: it says so, and offers its first addresses in full. */
export function BasicChecksNotice({ left, addresses, busy, onFirst }: BasicChecksNoticeProps): ReactNode {
  return (
    <div className="notice" role="status">
      <p className="nums">
        {formatCount(left, "full check")} left. This list of {formatNumber(addresses)} runs basic checks.
      </p>
      <p className="muted small">
        <Term name="basic_checks">What basic checks are</Term>
      </p>
      <Button busy={busy} onClick={onFirst}>
        Check the first {formatNumber(left)} in full
      </Button>
    </div>
  );
}

interface TypedListNoticeProps {
  list: AddressList;
  busy: boolean;
  onFirst: (left: number) => void;
}

/** As `BasicChecksNotice`, of a typed list; nothing where its addresses are covered, or have every check by the plan. */
export function TypedListNotice({ list, busy, onFirst }: TypedListNoticeProps): ReactNode {
  const left = useFullChecksLeft();
  if (left === 0 || list.possible <= left) return null;
  return <BasicChecksNotice left={left} addresses={list.unique} busy={busy} onFirst={() => onFirst(left)} />;
}
