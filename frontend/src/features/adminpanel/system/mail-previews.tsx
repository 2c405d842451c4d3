import { useState, type ReactNode } from "react";

import type { Emails } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { textColumn, type Column } from "../../../ui/data-table/columns";
import { QueryTable } from "../../../ui/data-table/query-table";
import { Dialog } from "../../../ui/dialog";
import { LiveView } from "../../../ui/live-view";
import { Section } from "../../../ui/section";
import { SegmentedControl } from "../../../ui/segmented-control";

type Email = Emails["emails"][number];
const PARTS = { html: "HTML", text: "Text" } as const;

function MailPreview({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  const [part, setPart] = useState<keyof typeof PARTS>("html");
  const mail = useAdminQuery(["emails", name], () =>
    readData(api.GET("/api/admin/emails/{name}/preview", { params: { path: { name } } })),
  );
  return (
    <Dialog
      wide
      title={mail.data?.subject ?? name}
      description="Names, numbers and links are sample values."
      onClose={onClose}
    >
      <div className="stack-4">
        <SegmentedControl label="Part" options={PARTS} value={part} onChange={setPart} />
        <LiveView query={mail} fallback="Failed to load the email" rows={6}>
          {({ text }) =>
            part === "text" ? (
              <pre className="mail-text">{text}</pre>
            ) : (
              <iframe
                className="mail-frame"
                title={`HTML of ${name}`}
                sandbox=""
                src={`/django-admin/mails/${encodeURIComponent(name)}/html`}
              />
            )
          }
        </LiveView>
      </div>
    </Dialog>
  );
}

const COLUMNS: readonly Column<Email>[] = [
  textColumn("subject", "Subject", ({ subject }) => subject, { className: "break", opens: true }),
  textColumn("name", "Name", ({ name }) => name, { hideBelow: "narrow", className: "mono small" }),
  textColumn("sent", "Sent", ({ always_sent }) => (always_sent ? "always" : "if wanted"), {
    className: "muted",
  }),
];

/** Every mail that the product sends, with sample values. */
export function MailPreviews(): ReactNode {
  const emails = useAdminQuery(["emails"], () => readData(api.GET("/api/admin/emails")));
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Section id="mails-heading" title="Email previews">
      <QueryTable
        label="Email previews"
        query={emails}
        fallback="Failed to load the emails"
        skeleton={6}
        columns={COLUMNS}
        pick={(found) => found.emails}
        getKey={({ name }) => name}
        onOpen={({ name }) => setOpen(name)}
        empty={{ title: "No emails", text: "Every mail that the product sends can be seen here." }}
      />
      {open === null ? null : <MailPreview name={open} onClose={() => setOpen(null)} />}
    </Section>
  );
}
