import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Webhook } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { formatDateTime } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { CopyButton } from "../../../ui/copy-button";
import { Dialog } from "../../../ui/dialog";
import { refreshWebhooks } from "./use-webhooks";
import { WebhookForm } from "./webhook-form";

interface SecretStepProps {
  title: string;
  secret: string;
  onClose: () => void;
  children: ReactNode;
}

/** A secret, shown once. */
function SecretStep({ title, secret, onClose, children }: SecretStepProps): ReactNode {
  const done = (
    <Button kind="primary" onClick={onClose}>
      I have kept it
    </Button>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={done} closable={false}>
      <div className="stack-4">
        <p>
          Copy the secret now. <strong>It is not shown again.</strong> {children}
        </p>
        <div className="secret">
          <code aria-label="Webhook secret">{secret}</code>
          <CopyButton text={secret} label="Copy secret" />
        </div>
        <p className="muted">
          Every message is signed with it, as Standard Webhooks 1.0 says.{" "}
          <a href="/documentation#webhooks">How to check a signature</a>
        </p>
      </div>
    </Dialog>
  );
}

interface OneProps {
  webhook: Webhook;
  onClose: () => void;
}

/** Makes an endpoint and shows its secret once. */
export function AddWebhook({ onClose }: { onClose: () => void }): ReactNode {
  const [secret, setSecret] = useState<string | null>(null);
  if (secret) {
    return (
      <SecretStep title="Webhook added" secret={secret} onClose={onClose}>
        Your endpoint needs it to know that a message comes from us.
      </SecretStep>
    );
  }
  return (
    <Dialog title="Add webhook" onClose={onClose}>
      <WebhookForm
        action="Add webhook"
        onCancel={onClose}
        send={async (fields, test) => {
          const made = await readData(api.POST("/api/user/webhooks", { body: { ...fields, test } }));
          setSecret(made.secret);
          void refreshWebhooks();
        }}
      />
    </Dialog>
  );
}

export function EditWebhook({ webhook, onClose }: OneProps): ReactNode {
  return (
    <Dialog title="Edit webhook" onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        action="Save webhook"
        onCancel={onClose}
        send={async (body) => {
          const path = { webhook_id: webhook.id };
          await api.PUT("/api/user/webhooks/{webhook_id}", { params: { path }, body });
          await refreshWebhooks();
          toast.success("Webhook saved");
          onClose();
        }}
      />
    </Dialog>
  );
}

export function RotateSecret({ webhook, onClose }: OneProps): ReactNode {
  const rotating = useMutation({
    mutationFn: () => {
      const path = { webhook_id: webhook.id };
      return readData(api.POST("/api/user/webhooks/{webhook_id}/rotate-secret", { params: { path } }));
    },
  });
  if (rotating.data) {
    const until = formatDateTime(rotating.data.old_secret_valid_until);
    return (
      <SecretStep title="New secret" secret={rotating.data.secret} onClose={onClose}>
        Messages are signed with the old one too until {until}.
      </SecretStep>
    );
  }
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      action="Rotate secret"
      kind="primary"
      busy={rotating.isPending}
      failure={rotating.isError ? getErrorMessage(rotating.error, "The secret could not be rotated") : null}
      onConfirm={() => rotating.mutate()}
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
  const deleting = useMutation({
    mutationFn: () => {
      const path = { webhook_id: webhook.id };
      return readData(api.DELETE("/api/user/webhooks/{webhook_id}", { params: { path } }));
    },
    onSuccess: async ({ message }) => {
      await refreshWebhooks();
      toast.success(message);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      action="Delete webhook"
      busy={deleting.isPending}
      failure={deleting.isError ? getErrorMessage(deleting.error, "The webhook could not be deleted") : null}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <strong className="break">{webhook.url}</strong>. Its log is deleted too. This
        cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
