import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { ApiCall, MendedCall } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { CopyButton } from "../../../ui/copy-button";
import { Loaded } from "../../../ui/states";

interface MissingScopeProps {
  scope: string;
  prefix: string | null;
  /** Closes what lies above the keys. */
  onLeave: () => void;
}

function MissingScope({ scope, prefix, onLeave }: MissingScopeProps): ReactNode {
  return (
    <p>
      First give the key {prefix ? <code>{prefix}…</code> : null} the scope <code>{scope}</code> under{" "}
      <a href="/account-settings?tab=profile#api-keys" onClick={onLeave}>
        API keys
      </a>
      .
    </p>
  );
}

interface MendedProps {
  mended: MendedCall;
  prefix: string | null;
  onLeave: () => void;
}

function Mended({ mended, prefix, onLeave }: MendedProps): ReactNode {
  const { command, notes, missing_scope } = mended;
  return (
    <div className="stack-2">
      <h3>Mended call</h3>
      {missing_scope ? <MissingScope scope={missing_scope} prefix={prefix} onLeave={onLeave} /> : null}
      <div className="secret">
        <code className="call-text">{command}</code>
        <CopyButton text={command} label="Copy mended call" />
      </div>
      {notes.length > 0 ? <p className="muted small">{notes.join(" ")}</p> : null}
    </div>
  );
}

/** A sentence of the catalogue, with the names between backquotes as code. */
function markNames(text: string): ReactNode[] {
  return text.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));
}

/** What a refusal means, what to do about it, and the call that would be answered instead, where that is known. */
export function RefusalAdvice({ call, onLeave }: { call: ApiCall; onLeave: () => void }): ReactNode {
  const path = { request_id: call.request_id };
  const advice = useQuery({
    queryKey: ["request", call.request_id, "advice"],
    queryFn: () => readData(api.GET("/api/user/requests/{request_id}/advice", { params: { path } })),
  });
  return (
    <Loaded query={advice} fallback="Failed to load what to do about this refusal" rows={3}>
      {({ sentence, explanation, mended_call }) => (
        <>
          {sentence ? <p>{sentence}</p> : null}
          {explanation ? (
            <dl className="stack-2">
              <div>
                <dt className="muted small">What it means</dt>
                <dd>{markNames(explanation.meaning)}</dd>
              </div>
              <div>
                <dt className="muted small">What to do</dt>
                <dd>{markNames(explanation.remedy)}</dd>
              </div>
            </dl>
          ) : null}
          {mended_call ? <Mended mended={mended_call} prefix={call.key_prefix} onLeave={onLeave} /> : null}
        </>
      )}
    </Loaded>
  );
}
