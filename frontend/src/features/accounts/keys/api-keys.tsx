import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { ApiKey } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useUrlState } from "../../../lib/url-state";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { RowMenu } from "../../../ui/row-menu";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { CreateKey, EditKey, KEYS, RevokeKey } from "./key-dialogs";
import { LeakRule } from "./leak-rule";
import { describeLimits } from "./limits";
import { ListRows } from "../../../ui/data-table/list-rows";

type KeyDialog = "edit" | "revoke";

function KeyRow({ apiKey }: { apiKey: ApiKey }): ReactNode {
  const [step, setStep] = useState<KeyDialog | null>(null);
  const [, setUrl] = useUrlState();
  const close = () => setStep(null);
  const showRequests = () => {
    setUrl({ key: String(apiKey.id) });
    document.getElementById("requests")?.scrollIntoView();
  };
  return (
    <li className="list-row">
      <div className="grow">
        <p className="row">
          <strong className="break">{apiKey.name}</strong>
          <code>{apiKey.prefix}…</code>
          {apiKey.test ? <Badge look={["Test", "neutral"]} /> : null}
          {apiKey.maker_has_left ? <Badge look={["Maker has left", "problem"]} /> : null}
        </p>
        <p className="muted small">
          Created <Time at={apiKey.created_at} />
          {apiKey.maker ? ` by ${apiKey.maker}` : ""} ·{" "}
          {apiKey.last_used_at ? (
            <>
              last used <Time at={apiKey.last_used_at} />
            </>
          ) : (
            "never used"
          )}
        </p>
        <p className="muted small break">{describeLimits(apiKey)}</p>
      </div>
      <div className="row">
        {apiKey.maker_has_left ? (
          <Button aria-label={`Revoke ${apiKey.name}`} onClick={() => setStep("revoke")}>
            Revoke
          </Button>
        ) : null}
        <Button aria-label={`Edit ${apiKey.name}`} onClick={() => setStep("edit")}>
          Edit
        </Button>
        <RowMenu
          row={apiKey.name}
          actions={[
            { words: "Show its requests", name: `Requests of ${apiKey.name}`, act: showRequests },
            { words: "Revoke", name: `Revoke ${apiKey.name}`, act: () => setStep("revoke") },
          ]}
        />
      </div>
      {step === "edit" ? <EditKey apiKey={apiKey} onClose={close} /> : null}
      {step === "revoke" ? <RevokeKey apiKey={apiKey} onClose={close} /> : null}
    </li>
  );
}

/** The keys with which programs call the API. */
export function ApiKeys(): ReactNode {
  const [creating, setCreating] = useState(false);
  const keys = useQuery({
    queryKey: KEYS,
    queryFn: async () => (await readData(api.GET("/api/user/api-keys"))).keys,
  });
  const create = <Button onClick={() => setCreating(true)}>Create API key</Button>;
  return (
    <Section
      id="keys-heading"
      title="API Keys"
      card
      anchor="api-keys"
      aside={keys.data && keys.data.length > 0 ? create : null}
    >
      <p className="muted">
        Programs send a key as a Bearer header. <a href="/documentation#authentication">How to use a key</a>
      </p>
      <Loaded query={keys} fallback="Failed to load API keys" rows={3}>
        {(found) => (
          <ListRows
            rows={found}
            empty={{
              title: "No API keys yet",
              text: "A key lets a program validate addresses for you, within the limits you set.",
              action: create,
            }}
            item={(key) => <KeyRow key={key.id} apiKey={key} />}
          />
        )}
      </Loaded>
      <LeakRule />
      {creating ? <CreateKey onClose={() => setCreating(false)} /> : null}
    </Section>
  );
}
