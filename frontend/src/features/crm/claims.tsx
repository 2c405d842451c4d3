import BadgeCheck from "lucide-react/icons/badge-check";
import CircleDot from "lucide-react/icons/circle-dot";
import EyeOff from "lucide-react/icons/eye-off";
import { useState, type ReactNode } from "react";

import type { Claim } from "../../api/types";
import { reloadAdmin, useAdminQuery } from "../adminpanel/use-admin-query";
import { api, readData } from "../../lib/client";
import { formatDate, NO_VALUE } from "../../lib/format";
import { useAction } from "../../lib/use-action";
import { Badge, type Look } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Checkbox } from "../../ui/checkbox";
import { textColumn, type Column } from "../../ui/data-table/columns";
import { QueryTable } from "../../ui/data-table/query-table";
import { Dialog } from "../../ui/dialog";
import { InputField } from "../../ui/field";

const KEY = ["claims"] as const;

type Draft = Omit<Claim, "key" | "text">;

async function saveClaim(key: string, draft: Draft): Promise<void> {
  await readData(api.PUT("/api/admin/claims", { body: { claims: [{ key, ...draft }] } }));
  await reloadAdmin(...KEY);
}

interface FieldsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

function Fields({ draft, onChange }: FieldsProps): ReactNode {
  return (
    <>
      <InputField
        label="Value"
        required
        maxLength={200}
        value={draft.value}
        onChange={(event) => onChange({ value: event.target.value, confirmed: false })}
      />
      <InputField
        label="Source"
        hint="Where the value can be looked up."
        maxLength={300}
        value={draft.source}
        onChange={(event) => onChange({ source: event.target.value })}
      />
      <InputField
        label="As of"
        type="date"
        value={draft.as_of ?? ""}
        onChange={(event) => onChange({ as_of: event.target.value || null })}
      />
      <Checkbox
        label="Shown"
        hint="on the public pages"
        checked={draft.shown}
        onChange={(shown) => onChange({ shown })}
      />
      <Checkbox
        label="Confirmed"
        hint="There is proof of the value."
        checked={draft.confirmed}
        onChange={(confirmed) => onChange({ confirmed })}
      />
    </>
  );
}

function EditClaim({ claim, onClose }: { claim: Claim; onClose: () => void }): ReactNode {
  const { key, text, ...first } = claim;
  const [draft, setDraft] = useState<Draft>(first);
  const saving = useAction(() => saveClaim(key, draft), "Failed to save the claim", {
    done: () => "Claims saved",
    onDone: onClose,
  });
  return (
    <Dialog
      title={text}
      description="Another value has to be confirmed anew. Changes are recorded."
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="claim-form" busy={saving.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="claim-form"
        className="stack-4"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Fields draft={draft} onChange={(change) => setDraft((now) => ({ ...now, ...change }))} />
      </form>
    </Dialog>
  );
}

function getLook({ shown, confirmed }: Claim): Look {
  if (!shown) return ["Hidden", "unknown", EyeOff];
  return confirmed ? ["Confirmed", "plain", BadgeCheck] : ["Unconfirmed", "plain", CircleDot];
}

const COLUMNS: readonly Column<Claim>[] = [
  textColumn("claim", "Claim", ({ text }) => text, { opens: true }),
  textColumn("value", "Value", ({ value }) => value, { className: "break" }),
  textColumn("source", "Source", ({ source }) => source, { hideBelow: "narrow", className: "muted break" }),
  textColumn("as_of", "As of", ({ as_of }) => (as_of === null ? NO_VALUE : formatDate(as_of)), {
    hideBelow: "narrow",
    className: "muted",
  }),
  textColumn("state", "State", (claim) => <Badge look={getLook(claim)} />),
];

/** What the public pages claim about us; none of it is measured here. */
export function Claims(): ReactNode {
  const claims = useAdminQuery(KEY, () => readData(api.GET("/api/admin/claims")));
  const [open, setOpen] = useState<Claim | null>(null);
  return (
    <section className="stack-4" aria-labelledby="claims-heading">
      <div>
        <h2 id="claims-heading">Claims</h2>
        <p className="muted">
          What the public pages say about us. In live mode certifications and counts appear only once they are
          confirmed.
        </p>
      </div>
      <QueryTable
        label="Claims"
        query={claims}
        fallback="Failed to load the claims"
        skeleton={6}
        columns={COLUMNS}
        pick={(found) => found.claims}
        getKey={({ key }) => key}
        empty={{
          title: "No claims",
          text: "Sentences of the public pages that name a number or a certificate appear here.",
        }}
        onOpen={setOpen}
      />
      {open ? <EditClaim claim={open} onClose={() => setOpen(null)} /> : null}
    </section>
  );
}
