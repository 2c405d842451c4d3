import { useState, type ReactNode } from "react";

import { api, readData } from "../lib/client";
import { useAction } from "../lib/use-action";
import { Button, ButtonLink } from "../ui/button";
import { Time } from "../ui/values";

interface KeyLeak {
  id: string;
  name: string;
  prefix: string;
  /** Where it was found, as it was reported: anybody may have written that, so it is no link. */
  place: string;
  revoked: boolean;
  reported_at: string;
}

interface LeakNoticeProps {
  leak: KeyLeak;
  onClose: () => void;
}

function LeakNotice({ leak, onClose }: LeakNoticeProps): ReactNode {
  const closing = useAction(
    () => {
      const params = { path: { notice_id: leak.id } };
      return readData(api.DELETE("/api/user/key-leaks/{notice_id}", { params }));
    },
    "The notice could not be dismissed",
    { onDone: onClose },
  );
  return (
    <aside className="notice notice-danger key-leak" aria-label={`API key ${leak.name} was found in public`}>
      <div className="stack-1 grow">
        <p>
          <strong className="break">
            {leak.revoked
              ? `Your API key “${leak.name}” was found in public and revoked.`
              : `Your API key “${leak.name}” was found in public and still works.`}
          </strong>
        </p>
        <p className="small break">
          <code>{leak.prefix}…</code> · {leak.place === "" ? "place not said" : leak.place} ·{" "}
          <Time at={leak.reported_at} />
        </p>
      </div>
      <div className="row">
        <ButtonLink href="/account-settings?tab=profile#api-keys" needs="develop">
          {leak.revoked ? "See my API keys" : "Revoke it"}
        </ButtonLink>
        <Button busy={closing.isPending} onClick={() => closing.mutate()}>
          Dismiss
        </Button>
      </div>
    </aside>
  );
}

/** Keys of the organisation that were found in public, each until it is dismissed. */
export default function KeyLeaks({ leaks }: { leaks: KeyLeak[] }): ReactNode {
  const [shown, setShown] = useState(leaks);
  return shown.map((leak) => (
    <LeakNotice
      key={leak.id}
      leak={leak}
      onClose={() => setShown((before) => before.filter((other) => other !== leak))}
    />
  ));
}
