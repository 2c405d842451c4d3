import { Suspense, useState, type ReactNode } from "react";

import { focusOnArrival } from "../../../lib/focus";
import { getErrorMessage } from "../../../lib/errors";
import { useAction } from "../../../lib/use-action";
import { useCurrentUser } from "../../accounts/profile/use-current-user";
import { Button, ButtonLink } from "../../../ui/button";
import { lazyPart } from "../../../ui/lazy-part";
import { EmptyState, SkeletonCards } from "../../../ui/states";
import { refreshCredits, validateBulk, validateSingle } from "../calls";
import { ValidationFailure } from "../validation-failure";
import { SAMPLE } from "./address-list";

const Tracker = lazyPart(async () => (await import("./progress/batch-tracker")).BatchTracker);

const FAILED = "Validation failed";
const SAMPLE_LINES = SAMPLE.split("\n");

/** Starts a list of simulated addresses; answers its id while it runs. */
async function checkSample(): Promise<string | null> {
  const { batch_id, status } = await validateBulk({ emails: SAMPLE_LINES, inHouse: false });
  return status === "completed" ? null : batch_id;
}

async function checkAddress(address: string): Promise<null> {
  await validateSingle(address);
  return null;
}

/** The first check of an account: a sample where the world is simulated, its own address elsewhere. */
function useFirstCheck(sandbox: boolean) {
  const own = useCurrentUser().data?.email ?? "";
  return sandbox
    ? {
        words: "Check a sample list",
        cost: `${SAMPLE_LINES.length} simulated addresses, a credit each at most.`,
        check: checkSample,
      }
    : {
        words: "Check your own address",
        cost: own === "" ? "" : `${own}, one credit at most.`,
        check: () => checkAddress(own),
      };
}

interface FirstCheckProps {
  sandbox: boolean;
  title: string;
  children: ReactNode;
  /** Told when there are results. */
  onFilled: () => void;
}

interface OfferProps extends FirstCheckProps {
  onRunning: (batchId: string) => void;
}

function FirstCheckOffer({ sandbox, title, children, onFilled, onRunning }: OfferProps): ReactNode {
  const { words, cost, check } = useFirstCheck(sandbox);
  const starting = useAction(check, FAILED, {
    says: "here",
    onDone: (running) => (running ? onRunning(running) : onFilled()),
  });
  const action = (
    <>
      <div className="row">
        <Button
          kind="primary"
          needs="check"
          disabled={cost === ""}
          busy={starting.isPending}
          onClick={() => starting.mutate()}
        >
          {words}
        </Button>
        <ButtonLink href="/dashboard?tab=validate" needs="check">
          Start Validating
        </ButtonLink>
      </div>
      <p className="hint">{cost}</p>
      {starting.isError ? (
        <ValidationFailure message={getErrorMessage(starting.error, FAILED)} error={starting.error} />
      ) : null}
    </>
  );
  return (
    <EmptyState title={title} action={action}>
      {children}
    </EmptyState>
  );
}

/** Says that nothing was checked yet, and offers a first check by one press; the list is followed in its place. */
export function FirstCheck(props: FirstCheckProps): ReactNode {
  const [batchId, setBatchId] = useState<string | null>(null);
  const [expanded, setExpanded] = useState(false);
  const fill = () => {
    refreshCredits();
    props.onFilled();
  };
  if (!batchId) return <FirstCheckOffer {...props} onFilled={fill} onRunning={setBatchId} />;
  return (
    <div tabIndex={-1} ref={focusOnArrival}>
      <Suspense fallback={<SkeletonCards count={1} />}>
        <Tracker
          batchId={batchId}
          expanded={expanded}
          onExpand={setExpanded}
          onCompleted={fill}
          onClose={() => setBatchId(null)}
        />
      </Suspense>
    </div>
  );
}

interface FilledPageProps {
  /** Whether the first check has just filled it: it then gets the focus. */
  isFilled: boolean;
  busy: boolean;
  children: ReactNode;
}

/** What a page shows once there are results. */
export function FilledPage({ isFilled, busy, children }: FilledPageProps): ReactNode {
  const arrival = isFilled ? { tabIndex: -1, ref: focusOnArrival } : {};
  return (
    <div className="stack arrival" aria-busy={busy} {...arrival}>
      {children}
    </div>
  );
}
