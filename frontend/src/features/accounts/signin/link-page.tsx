import CircleCheck from "lucide-react/icons/circle-check";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { useEffect, useEffectEvent, type ReactNode } from "react";

const REDIRECT_MS = 3_000;

/** Goes on after three seconds. */
export function RedirectNotice({ onLeave, place }: { onLeave: () => void; place: string }): ReactNode {
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    const timer = setTimeout(() => leave(), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, []);
  return <p className="muted">You will be taken to {place} in 3 seconds.</p>;
}

/** Something is being asked. */
export function PendingNotice({ words }: { words: string }): ReactNode {
  return (
    <div className="card stack-4">
      <h1>{words}</h1>
      <p className="waiting" role="status">
        One moment…
      </p>
    </div>
  );
}

interface LinkOutcomeProps {
  /** Whether the link did what it is for. */
  works: boolean;
  title: string;
  text: string;
  children: ReactNode;
}

/** What became of a link in a mail, and the way on. */
export function LinkOutcome({ works, title, text, children }: LinkOutcomeProps): ReactNode {
  const Icon = works ? CircleCheck : CircleAlert;
  return (
    <div className="card stack-4">
      <Icon className={`tone-text tone-${works ? "valid" : "invalid"}`} size={32} aria-hidden />
      <div className="stack-2" role={works ? "status" : "alert"}>
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
      {children}
    </div>
  );
}
