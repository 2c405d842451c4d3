import { useQuery } from "@tanstack/react-query";
import Monitor from "lucide-react/icons/monitor";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Session } from "../../../../api/types";
import { api, readData } from "../../../../lib/client";
import { useAction } from "../../../../lib/use-action";
import { confirmLeaving, signOut } from "./sign-out";
import { queryClient } from "../../../../lib/query";
import { clearSession, navigation, stayWhenEnded } from "../../../../lib/session";
import { Badge } from "../../../../ui/badge";
import { Button } from "../../../../ui/button";
import { ConfirmDialog } from "../../../../ui/confirm-dialog";
import { ListRows } from "../../../../ui/data-table/list-rows";
import { DialogButton } from "../../../../ui/dialog-button";
import { Loaded } from "../../../../ui/states";
import { Time } from "../../../../ui/values";

const SESSIONS = ["sessions"] as const;
const AT_FIRST = 10;
const MOST_LISTED = 100;
const FAILED = "The session could not be ended";

async function endSession({ id, current }: Session): Promise<void> {
  if (current) return signOut();
  await api.DELETE("/api/user/sessions/{session_id}", { params: { path: { session_id: id } } });
  await queryClient.invalidateQueries({ queryKey: SESSIONS });
  toast.success("Signed out");
}

async function endAllSessions(): Promise<void> {
  if (!(await confirmLeaving())) return;
  stayWhenEnded(); // calls on their way may be refused before this leaves the page
  await api.DELETE("/api/user/sessions").catch((error: unknown) => {
    stayWhenEnded(false);
    throw error;
  });
  clearSession();
  navigation.go("/?left=1");
  return new Promise<void>(() => undefined); // the page is being left
}

function SessionRow({ session }: { session: Session }): ReactNode {
  const ending = useAction(() => endSession(session), FAILED);
  return (
    <li className="list-row">
      <Monitor className="muted from-640" size={20} aria-hidden />
      <div className="grow">
        <p className="row">
          <strong className="break">{session.device}</strong>
          {session.current ? <Badge look={["This device", "accent"]} /> : null}
        </p>
        <p className="muted small">
          {session.ip ? <span className="mono">{session.ip}</span> : "No address"} · signed in{" "}
          <Time at={session.created_at} /> · active <Time at={session.last_used_at} />
        </p>
      </div>
      <Button
        busy={ending.isPending}
        onClick={() => ending.mutate()}
        aria-label={`Sign out ${session.device}`}
      >
        Sign out
      </Button>
    </li>
  );
}

function EndAllButton({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      action="Sign out everywhere"
      act={endAllSessions}
      failed={FAILED}
      says="here"
      onClose={onClose}
    >
      <p>Every device is signed out at once, this one too. API keys keep working.</p>
    </ConfirmDialog>
  );
}

function SessionList({ sessions }: { sessions: readonly Session[] }): ReactNode {
  const [all, setAll] = useState(false);
  const shown = all ? sessions : sessions.slice(0, AT_FIRST);
  return (
    <>
      <ListRows rows={shown} item={(session) => <SessionRow key={session.id} session={session} />} />
      {shown.length < sessions.length ? (
        <div className="row">
          <Button onClick={() => setAll(true)}>Show all {sessions.length} sessions</Button>
        </div>
      ) : null}
      {sessions.length < MOST_LISTED ? null : (
        <p className="muted small">
          These are the {MOST_LISTED} used last. <em>Sign out everywhere</em> ends older ones too.
        </p>
      )}
    </>
  );
}

/** Where the account is signed in: this device, then those used last. */
export function Sessions(): ReactNode {
  const sessions = useQuery({
    queryKey: SESSIONS,
    queryFn: async () => (await readData(api.GET("/api/user/sessions"))).sessions,
  });
  return (
    <div className="card stack-4 anchor" id="sessions">
      <div className="row row-between">
        <h3>Sessions</h3>
        <DialogButton dialog={(close) => <EndAllButton onClose={close} />}>Sign out everywhere</DialogButton>
      </div>
      <Loaded query={sessions} fallback="Failed to load sessions" rows={3}>
        {(open) => <SessionList sessions={open} />}
      </Loaded>
    </div>
  );
}
