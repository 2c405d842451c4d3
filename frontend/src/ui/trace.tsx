import type { CSSProperties, ReactNode } from "react";

import { formatMilliseconds } from "../lib/format";

/**
 * How a stop was answered; `unasked`: nobody was asked, `silent`: no answer came, or none that decides, `now`: what is
 * under way.
 */
export type StopState = "yes" | "refused" | "all" | "unasked" | "silent" | "now";

export interface Stop {
  name: string;
  state: StopState;
  /** What is read out of its state, where it is no answer of a server. */
  words?: string;
  /** How long the answer took, in milliseconds. */
  ms?: number | null;
}

export const STOP_NAMES = ["Syntax", "Domain", "Mail host", "TLS", "Sender", "Mailbox"] as const;

const STATE_WORDS: Record<StopState, string> = {
  yes: "yes",
  refused: "refused",
  all: "accepts all",
  unasked: "not asked",
  silent: "no answer",
  now: "now",
};

const SHAPES: Record<StopState, ReactNode> = {
  yes: <circle cx="8" cy="8" r="4.5" />,
  refused: <path d="M3.5 3.5h9v9h-9z" />,
  all: <path className="trace-hollow" d="M8 2.5 13.5 8 8 13.5 2.5 8z" />,
  unasked: <circle className="trace-hollow" cx="8" cy="8" r="4.2" strokeDasharray="2 2.4" />,
  silent: <path d="M2.5 7h11v2h-11z" />,
  now: <circle className="trace-hollow" cx="8" cy="8" r="4.2" />,
};

function StopMark({ state }: { state: StopState }): ReactNode {
  return (
    <svg className="trace-mark" width="16" height="16" viewBox="0 0 16 16" aria-hidden>
      {SHAPES[state]}
    </svg>
  );
}

interface TraceProps {
  stops: readonly Stop[];
  /** The verdict, whose colour the last answer has. */
  tone: string;
  /** Says that the answers came just now: the stops light up in their order. */
  fresh?: boolean;
  label?: string;
}

/** How far the question got: from us to the mailbox, with the answer at each stop. */
export function Trace({
  stops,
  tone,
  fresh = false,
  label = "How far the question got",
}: TraceProps): ReactNode {
  const last = stops.findLastIndex(({ state }) => state !== "unasked");
  return (
    <ol className={`trace tone-${tone}${fresh ? " trace-fresh" : ""}`} aria-label={label}>
      {stops.map(({ name, state, ms, words }, index) => (
        <li
          key={name}
          className={`trace-stop trace-${state}${index === last ? " trace-last" : ""}`}
          style={{ "--stop": index } as CSSProperties}
        >
          <StopMark state={state} />
          <span className="trace-name">{name}</span>
          <span className="visually-hidden">: {words ?? STATE_WORDS[state]}</span>
          {ms === null || ms === undefined ? null : (
            <span className="trace-ms"> {formatMilliseconds(ms)}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The same in a row of a table: a line up to the last stop that answered. */
export function TraceSpark({ stops, tone }: Pick<TraceProps, "stops" | "tone">): ReactNode {
  const last = Math.max(
    0,
    stops.findLastIndex(({ state }) => state !== "unasked"),
  );
  const { name, state } = stops[last] ?? { name: "", state: "unasked" as const };
  const end = 8 + last * 14;
  const width = 16 + (stops.length - 1) * 14;
  return (
    <svg
      className={`trace-spark tone-${tone}`}
      width={width}
      height="16"
      viewBox={`0 0 ${width} 16`}
      role="img"
      aria-label={`${name}: ${STATE_WORDS[state]}`}
    >
      <path className="trace-rail" d={`M8 8H${width - 8}`} />
      <path className="trace-way" d={`M8 8H${end}`} />
      {stops.slice(0, last).map((stop, index) => (
        <circle key={stop.name} cx={8 + index * 14} cy="8" r="2" />
      ))}
      <g className="trace-end" transform={`translate(${end - 8})`}>
        {SHAPES[state]}
      </g>
    </svg>
  );
}

/** Stands in for a trace: a line that draws itself until the answer is there. */
export function TraceSkeleton(): ReactNode {
  return (
    <svg className="trace-blank trace-drawing" viewBox="0 0 320 16" preserveAspectRatio="none" aria-hidden>
      <path className="trace-rail" d="M2 8H318" pathLength="1" />
      <path className="trace-way" d="M2 8H318" pathLength="1" />
    </svg>
  );
}

/** Nothing has been asked yet: six stops on a dashed line. */
export function TraceEmpty(): ReactNode {
  return (
    <svg className="trace-blank" width="216" height="16" viewBox="0 0 216 16" aria-hidden>
      <path className="trace-rail" d="M8 8h200" />
      {STOP_NAMES.map((name, index) => (
        <circle
          key={name}
          className="trace-hollow"
          cx={8 + index * 40}
          cy="8"
          r="4.2"
          strokeDasharray="2 2.4"
        />
      ))}
    </svg>
  );
}
