import { useQuery } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";

import type { Batch, Reach } from "../../../api/types";
import { calculateShare, formatCount, formatNumber, formatPercent } from "../../../lib/format";
import { Loaded } from "../../../ui/states";
import { Term } from "../../../ui/term";
import { loadReach } from "../calls";
import { FormatButtons } from "./format-buttons";

type ReachChoice = Reach["choices"][number];

const ONE_DECIMAL = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

function formatBounces(bounces: number): string {
  return bounces > 0 && bounces < 0.1 ? "under 0.1" : ONE_DECIMAL.format(bounces);
}

/** Whom a choice takes in. */
function describeChoice({ risky_from: from }: ReachChoice): string {
  if (from === null) return "Only the safe ones";
  if (from === 0) return "All but do not send";
  return `The safe ones, and risky ones from ${formatPercent(from)} confidence`;
}

function formatFigures({ addresses, expected_bounces: bounces }: ReachChoice): string {
  const count = formatCount(addresses, "address", "addresses");
  return `${count}, about ${formatBounces(bounces)} expected bounces`;
}

function Figures({ choice }: { choice: ReachChoice }): ReactNode {
  const { addresses, expected_bounces: bounces } = choice;
  return (
    <dl className="next-figures">
      <div>
        <dt>Sent to</dt>
        <dd className="next-number nums">{formatNumber(addresses)}</dd>
      </div>
      <div>
        <dt>Expected to bounce</dt>
        <dd className="next-number nums">
          {formatBounces(bounces)}{" "}
          <small className="muted">{formatPercent(calculateShare(bounces, addresses))}</small>
        </dd>
      </div>
    </dl>
  );
}

function Slider({ batch, choices, saves }: ReachSliderProps & { choices: ReachChoice[] }): ReactNode {
  const [place, setPlace] = useState(0);
  const id = useId();
  const choice = choices[place] ?? choices[0];
  if (!choice) return null;
  const part = { segment: "safe", risky_from: choice.risky_from ?? undefined };
  return (
    <div className="stack-4">
      <div className="field">
        <label htmlFor={id}>How far do you want to go?</label>
        <input
          id={id}
          type="range"
          className="reach"
          min={0}
          max={choices.length - 1}
          value={place}
          aria-valuetext={`${describeChoice(choice)}: ${formatFigures(choice)}`}
          onChange={(event) => setPlace(Number(event.target.value))}
        />
        <div className="row row-between small muted" aria-hidden>
          <span>Only safe</span>
          <span>All but do not send</span>
        </div>
      </div>
      <p role="status">
        <strong>{describeChoice(choice)}</strong>
      </p>
      <Figures choice={choice} />
      {saves ? <FormatButtons batch={batch} what="exactly these" part={part} /> : null}
      <p className="hint">
        The expected <Term name="bounce">bounces</Term> add up what is missing to 100%{" "}
        <Term name="confidence">confidence</Term> for each address. It is an estimate: the true number can be
        higher or lower.
      </p>
    </div>
  );
}

interface ReachSliderProps {
  batch: Batch;
  /** Whether results may be saved as files. */
  saves: boolean;
}

/** Between reach and risk: how many are sent to and bounce as ever more risky ones are added. */
export function ReachSlider({ batch, saves }: ReachSliderProps): ReactNode {
  const reach = useQuery({
    queryKey: ["reach", batch.batch_id, batch.rechecked_at],
    queryFn: () => loadReach(batch.batch_id),
  });
  return (
    <Loaded query={reach} fallback="The figures could not be loaded" rows={3}>
      {({ choices }) => <Slider batch={batch} choices={choices} saves={saves} />}
    </Loaded>
  );
}
