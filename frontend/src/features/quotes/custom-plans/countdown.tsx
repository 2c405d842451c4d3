import { useEffect, useState, type ReactNode } from "react";

const SECOND_MS = 1_000;

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Minutes and seconds until a moment, second by second. */
export function Countdown({ until }: { until: string }): ReactNode {
  const left = Math.ceil((Date.parse(until) - useNow()) / SECOND_MS);
  if (left <= 0) return <span className="muted small">Activating by itself now</span>;
  const seconds = String(left % 60).padStart(2, "0");
  return (
    <span className="muted small" role="timer">
      Activates by itself in{" "}
      <strong className="nums">
        {Math.floor(left / 60)}:{seconds}
      </strong>
    </span>
  );
}
