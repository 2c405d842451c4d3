import { useState, type ReactNode } from "react";

import type { Webhook } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDateTime } from "../../../lib/format";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { refreshWebhooks } from "./use-webhooks";
import { WebhookForm } from "./webhook-form";
import { Secret, ShownOnce } from "../../../ui/shown-once";

interface SecretStepProps {
  title: string;
  secret: string;
  onClose: () => void;
  children: ReactNode;
}

/** A secret, shown once. */
function SecretStep({ title, secret, onClose, children }: SecretStepProps): ReactNode {
  return (
    <ShownOnce title={title} onClose={onClose}>
      <div className="stack-4">
        <p>
          Copy the secret now. <strong>It is not shown again.</strong> {children}
        </p>
        <Secret text={secret} label="Webhook secret" copy="Copy secret" />
        <p className="muted">
          Every message is signed with it, as Standard Webhooks 1.0 says.{" "}
          <a href="/documentation#webhooks">How to check a signature</a>
        </p>
      </div>
    </ShownOnce>
  );
}

interface RotatedSecret {
  secret: string;
  old_secret_valid_until: string;
}

interface OneProps {
  webhook: Webhook;
  onClose: () => void;
}

interface AddWebhookProps {
  /** The plan includes no live ones. */
  gated: boolean;
  onClose: () => void;
}

/** Makes an endpoint and shows its secret once. */
export function AddWebhook({ gated, onClose }: AddWebhookProps): ReactNode {
  const [secret, setSecret] = useState<string | null>(null);
  if (secret) {
    return (
      <SecretStep title="Webhook added" secret={secret} onClose={onClose}>
        Your endpoint needs it to know that a message comes from us.
      </SecretStep>
    );
  }
  return (
    <WebhookForm
      title={gated ? "Add test webhook" : "Add webhook"}
      action="Add webhook"
      gated={gated}
      onClose={onClose}
      send={async (fields, test) => {
        const made = await readData(api.POST("/api/user/webhooks", { body: { ...fields, test } }));
        setSecret(made.secret);
        void refreshWebhooks();
      }}
    />
  );
}

export function EditWebhook({ webhook, onClose }: OneProps): ReactNode {
  return (
    <WebhookForm
      webhook={webhook}
      title="Edit webhook"
      action="Save webhook"
      onClose={onClose}
      send={async (body) => {
        const path = { webhook_id: webhook.id };
        await api.PUT("/api/user/webhooks/{webhook_id}", { params: { path }, body });
        await refreshWebhooks();
        onClose();
      }}
    />
  );
}

export function RotateSecret({ webhook, onClose }: OneProps): ReactNode {
  const [made, setMade] = useState<RotatedSecret | null>(null);
  const params = { path: { webhook_id: webhook.id } };
  if (made) {
    return (
      <SecretStep title="New secret" secret={made.secret} onClose={onClose}>
        Messages are signed with the old one too until {formatDateTime(made.old_secret_valid_until)}.
      </SecretStep>
    );
  }
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      action="Rotate secret"
      kind="primary"
      act={() => readData(api.POST("/api/user/webhooks/{webhook_id}/rotate-secret", { params }))}
      failed="The secret could not be rotated"
      says="here"
      onDone={setMade}
      onClose={onClose}
    >
      <p>
        You get a new secret for <strong className="break">{webhook.url}</strong>. For 24 hours every message
        is signed with both the old and the new one, so that your endpoint refuses nothing while you change
        it.
      </p>
    </ConfirmDialog>
  );
}

export function DeleteWebhook({ webhook, onClose }: OneProps): ReactNode {
  const params = { path: { webhook_id: webhook.id } };
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      action="Delete webhook"
      act={() => readData(api.DELETE("/api/user/webhooks/{webhook_id}", { params }))}
      failed="The webhook could not be deleted"
      says="here"
      onEnd={refreshWebhooks}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <strong className="break">{webhook.url}</strong>. Its log is deleted too. This
        cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
