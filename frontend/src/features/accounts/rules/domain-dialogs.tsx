import type { ReactNode } from "react";

import type { OwnedDomain } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { EntryField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { refreshDomains } from "./calls";

interface OneDomainProps {
  domain: OwnedDomain;
  onClose: () => void;
}

/** Names a domain. */
export function AddDomain({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm({
    defaults: { name: "" },
    check: ({ name }) => (name.trim() === "" ? { name: "Enter a domain, such as example.com" } : {}),
    send: async ({ name }) => {
      await readData(api.POST("/api/organisation/domains", { body: { name: name.trim() } }));
      await refreshDomains();
      onClose();
    },
    fallback: "The domain could not be added",
  });
  return (
    <FormDialog title="Add a domain" onClose={onClose} form={form} action="Add domain">
      <EntryField form={form} name="name" label="Domain" placeholder="example.com" maxLength={253} />
    </FormDialog>
  );
}

/** Asks before the people of a domain can no longer sign in with a password. */
export function RequireGoogle({ domain, onClose }: OneDomainProps): ReactNode {
  const path = { domain_id: domain.id };
  return (
    <ConfirmDialog
      title={`Require Google for ${domain.name}?`}
      action="Require Google"
      kind="primary"
      act={() =>
        readData(
          api.PUT("/api/organisation/domains/{domain_id}", {
            params: { path },
            body: { google_required: true },
          }),
        )
      }
      done={() => `People of ${domain.name} sign in with Google.`}
      failed="The rule could not be saved"
      says="here"
      onEnd={refreshDomains}
      onClose={onClose}
    >
      <p>
        Members with a confirmed address at {domain.name} then sign in with Google alone; their passwords no
        longer sign in. Owners can always use their password. Open sessions go on.
      </p>
    </ConfirmDialog>
  );
}

/** Asks before a domain and its rule go. */
export function RemoveDomain({ domain, onClose }: OneDomainProps): ReactNode {
  return (
    <ConfirmDialog
      title={`Remove ${domain.name}?`}
      action="Remove domain"
      act={() =>
        readData(
          api.DELETE("/api/organisation/domains/{domain_id}", { params: { path: { domain_id: domain.id } } }),
        )
      }
      failed="The domain could not be removed"
      says="here"
      onEnd={refreshDomains}
      onClose={onClose}
    >
      <p>
        {domain.google_required ? "Its people may sign in with a password again. " : ""}To use it again you
        prove it with a new TXT record.
      </p>
    </ConfirmDialog>
  );
}
