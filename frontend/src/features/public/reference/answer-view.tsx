import type { ReactNode } from "react";

import { formatNumber } from "../../../lib/format";
import type { CallAnswer } from "./api-call";

function getTone(status: number): string {
  if (status < 300) return "tone-valid";
  return status < 500 ? "tone-risky" : "tone-invalid";
}

/** What came back: status, time, the headers that say something, and the body. */
export function AnswerView({ answer }: { answer: CallAnswer }): ReactNode {
  const { status, milliseconds, headers, text } = answer;
  return (
    <section className="try-answer" aria-label="Answer">
      <p className="row" role="status">
        <span className={`badge badge-large ${getTone(status)}`}>{status}</span>
        <span className="muted nums">{formatNumber(milliseconds)} ms</span>
      </p>
      <dl className="ref-fields">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <pre className="ref-code ref-whole" role="group" aria-label="Body of the answer">
        {text}
      </pre>
    </section>
  );
}
