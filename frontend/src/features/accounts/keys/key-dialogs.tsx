import { useState, type ReactNode } from "react";

import type { ApiKey, NewApiKey } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { Facts } from "../../../ui/facts";
import { formatCount, formatDateTime } from "../../../lib/format";
import { KeyForm } from "./key-form";
import { describeScopes } from "./limits";
import { Secret, ShownOnce } from "../../../ui/shown-once";

export const KEYS = ["api-keys"] as const;

function refreshKeys(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: KEYS });
}

function buildExample(key: string): string {
  const address = key.startsWith("ec_test_") ? "valid@test.emailcheck.app" : "name@company.com";
  return [
    `curl ${location.origin}/api/v1/validate/single \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" -d '{"email": "${address}"}'`,
  ].join("\n");
}

/** What was made, as it was understood. */
function MadeFacts({ made }: { made: NewApiKey }): ReactNode {
  const { mode, scopes, expires_at, daily_credit_cap, allowed_ips } = made;
  return (
    <Facts
      facts={[
        ["Mode", mode === "test" ? "Test" : "Live"],
        ["May", describeScopes(scopes)],
        ["Ends", expires_at ? formatDateTime(expires_at) : "never"],
        ["Credits a day", daily_credit_cap ? formatCount(daily_credit_cap, "credit") : "no cap"],
        ["Allowed IP addresses", allowed_ips.length > 0 ? allowed_ips.join(", ") : "any"],
      ]}
    />
  );
}

function CreatedKey({ made, onClose }: { made: NewApiKey; onClose: () => void }): ReactNode {
  return (
    <ShownOnce title={`Key “${made.name}”`} onClose={onClose}>
      <div className="stack-4">
        <p>
          Copy the key now. <strong>It is not shown again.</strong>
        </p>
        <Secret text={made.key} label="API key" copy="Copy key" />
        <MadeFacts made={made} />
        <div className="stack-1">
          <h3>Try it</h3>
          <pre className="call-text">{buildExample(made.key)}</pre>
        </div>
      </div>
    </ShownOnce>
  );
}

interface CreateKeyProps {
  /** Offers a key of test mode. */
  trial?: boolean;
  onClose: () => void;
}

/** Makes a key and shows it once. */
export function CreateKey({ trial = false, onClose }: CreateKeyProps): ReactNode {
  const [made, setMade] = useState<NewApiKey | null>(null);
  if (made) return <CreatedKey made={made} onClose={onClose} />;
  return (
    <KeyForm
      trial={trial}
      title="Create API key"
      action="Create key"
      onClose={onClose}
      send={async (fields, test) => {
        setMade(await readData(api.POST("/api/user/api-keys", { body: { ...fields, test } })));
        void refreshKeys();
      }}
    />
  );
}

interface OneKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function EditKey({ apiKey, onClose }: OneKeyProps): ReactNode {
  return (
    <KeyForm
      apiKey={apiKey}
      title={`Edit “${apiKey.name}”`}
      action="Save key"
      onClose={onClose}
      send={async (body) => {
        await api.PUT("/api/user/api-keys/{key_id}", { params: { path: { key_id: apiKey.id } }, body });
        await refreshKeys();
        onClose();
      }}
    />
  );
}

export function RevokeKey({ apiKey, onClose }: OneKeyProps): ReactNode {
  return (
    <ConfirmDialog
      title="Revoke this key?"
      action="Revoke key"
      act={() =>
        readData(api.DELETE("/api/user/api-keys/{key_id}", { params: { path: { key_id: apiKey.id } } }))
      }
      failed="The key could not be revoked"
      says="here"
      onEnd={refreshKeys}
      onClose={onClose}
    >
      <p>
        <strong className="break">{apiKey.name}</strong> (<code>{apiKey.prefix}…</code>) stops working at
        once. Programs that use it are refused. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
