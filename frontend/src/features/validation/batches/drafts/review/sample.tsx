import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";

import type { Draft, SampleState } from "../../../../../api/types";
import { getErrorMessage } from "../../../../../lib/errors";
import { formatNumber, formatPercent } from "../../../../../lib/format";
import { Button } from "../../../../../ui/button";
import { FieldError } from "../../../../../ui/field";
import { loadSample, startSample } from "../calls";
import { getDraftKey } from "../upload";

const POLL_MS = 1_000;

/** The sample of a list: asked for once, followed while it runs. */
export function useSample({ upload_id, sample }: Draft) {
  const client = useQueryClient();
  const queryKey = ["sample", upload_id];
  const { data = sample } = useQuery({
    queryKey,
    queryFn: async () => {
      const state = await loadSample(upload_id);
      // What was sampled is not charged again, so the cost is another one.
      if (!state.running) await client.invalidateQueries({ queryKey: getDraftKey(upload_id) });
      return state;
    },
    enabled: client.getQueryData<SampleState>(queryKey)?.running ?? sample.running,
    refetchInterval: POLL_MS,
  });
  const begin = useMutation({
    mutationFn: () => startSample(upload_id),
    onSuccess: (started) => client.setQueryData(queryKey, started),
  });
  return { state: data, begin };
}

export type SampleUse = ReturnType<typeof useSample>;

/** Presses for a free sample, where one may be had. */
export function SampleButton({ use: { state, begin }, words }: { use: SampleUse; words: string }): ReactNode {
  if (!state.offered) return null;
  return (
    <Button needs="check" busy={begin.isPending || state.running} onClick={() => begin.mutate()}>
      {words}
    </Button>
  );
}

type Outcome = NonNullable<SampleState["result"]>;
type Share = Outcome["unknown_share"];

interface BarProps {
  name: string;
  share: Share;
  hatched?: boolean;
}

/** A share as a bar up to the estimate, with its interval as a line. */
function ShareBar({ name, share: { estimate, low, high }, hatched = false }: BarProps): ReactNode {
  const percent = (value: number) => `${(value * 100).toFixed(1)}%`;
  return (
    <div className="sample-share">
      <dt>{name}</dt>
      <dd className="nums">
        <strong>{formatPercent(estimate)}</strong>{" "}
        <span className="muted">
          {formatPercent(low)} to {formatPercent(high)}
        </span>
      </dd>
      <div className={hatched ? "bar sample-bar tone-unknown" : "bar sample-bar tone-invalid"} aria-hidden>
        <span style={{ width: percent(estimate) }} />
        <i style={{ left: percent(low), width: percent(high - low) }} />
      </div>
    </div>
  );
}

function Estimate({ result }: { result: Outcome }): ReactNode {
  const { size, counts, cost, bounce_rate, unknown_share } = result;
  return (
    <>
      <dl className="sample">
        <div className="sample-share">
          <dt>What it will cost</dt>
          <dd className="nums">
            <strong>{formatNumber(cost.estimate)} credits</strong>{" "}
            <span className="muted">
              {formatNumber(cost.low)} to {formatNumber(cost.high)}
            </span>
          </dd>
        </div>
        {bounce_rate ? <ShareBar name="Bounces, of what was decided" share={bounce_rate} /> : null}
        <ShareBar name="Unknown" share={unknown_share} hatched />
      </dl>
      <p className="hint">
        An estimate from {formatNumber(size)} random addresses, of which {formatNumber(counts.unknown_count)}{" "}
        stayed unknown: with 95% confidence the whole list lies in these ranges. The start pays for the others
        alone, and shows these verdicts too.
      </p>
    </>
  );
}

/** What a sample is for, or why there is none. */
function SampleOffer({ use }: { use: SampleUse }): ReactNode {
  const { reason } = use.state;
  return (
    <>
      <p className="hint">
        {reason ||
          "It says what the whole list will cost, how much of it bounces and how much stays unknown."}
      </p>
      <div className="row">
        <SampleButton use={use} words="Check 100 random addresses free" />
      </div>
    </>
  );
}

/** How a sample stands: offered, under way, or done. */
function SampleBody({ use }: { use: SampleUse }): ReactNode {
  const { running, result } = use.state;
  if (running) return <p>Checking 100 random addresses. This takes a minute at most.</p>;
  return result ? <Estimate result={result} /> : <SampleOffer use={use} />;
}

interface SampleProps {
  use: SampleUse;
  /** Whether the list is long enough for one. */
  long: boolean;
}

/** What a hundred random addresses say of the list, free of charge. */
export function Sample({ use, long }: SampleProps): ReactNode {
  const heading = useId();
  const { state, begin } = use;
  if (!long && !state.running && !state.result) return null;
  return (
    <section className="stack-2" aria-labelledby={heading} aria-live="polite" aria-busy={state.running}>
      <h3 id={heading}>Free sample</h3>
      <SampleBody use={use} />
      {begin.error ? (
        <FieldError>{getErrorMessage(begin.error, "The sample could not be checked")}</FieldError>
      ) : null}
    </section>
  );
}
