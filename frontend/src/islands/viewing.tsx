import Eye from "lucide-react/icons/eye";
import { useEffect, useState, type ReactNode } from "react";

import { api } from "../lib/client";
import { formatDuration } from "../lib/format";
import { leaveView, navigation } from "../lib/session";
import { Button } from "../ui/button";

const SECOND_MS = 1_000;

interface ViewingProps {
  name: string;
  email: string;
  /** When it ends by itself. */
  until: string;
}

/** Seconds until then; never less than none. */
function useSecondsLeft(until: string): number {
  const getSeconds = () => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / SECOND_MS));
  const [left, setLeft] = useState(getSeconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(getSeconds()), SECOND_MS);
    return () => clearInterval(timer);
  });
  return left;
}

async function endView(): Promise<void> {
  leaveView();
  try {
    await api.DELETE("/api/admin/view-as");
  } catch (error) {
    console.warn("The server did not end the view", error);
  }
  navigation.go("/admin?tab=users");
}

/** Says on every page whose account staff look at, and for how long still. */
export default function Viewing({ name, email, until }: ViewingProps): ReactNode {
  const left = useSecondsLeft(until);
  const [ending, setEnding] = useState(false);
  const stop = () => {
    setEnding(true);
    void endView();
  };
  const over = left === 0;
  useEffect(() => {
    if (over) void endView();
  }, [over]);
  return (
    <>
      <p className="viewing-who">
        <Eye size={16} aria-hidden />
        <span className="break">
          You are viewing as <strong>{name}</strong> ({email}), read-only. Ends in{" "}
          <span className="nums">{formatDuration(left)}</span>.
        </span>
      </p>
      <Button busy={ending} changes={false} onClick={stop}>
        End view
      </Button>
    </>
  );
}
