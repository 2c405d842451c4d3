import { useState, type ReactNode } from "react";

import type { Emails } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { Dialog } from "../../../ui/dialog";
import { LiveView } from "../../../ui/live-view";
import { SegmentedControl } from "../../../ui/segmented-control";
import { TableHead } from "../../../ui/table";

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

function MailTable({ emails, onOpen }: { emails: Email[]; onOpen: (name: string) => void }): ReactNode {
  return (
    <div className="table-frame">
      <table className="table table-rows">
        <TableHead columns={["Subject", ["Name", "only-wide"], "Sent"]} />
        <tbody>
          {emails.map(({ name, subject, always_sent }) => (
            <tr key={name}>
              <td className="break">
                <button type="button" className="row-open" onClick={() => onOpen(name)}>
                  {subject}
                </button>
              </td>
              <td className="only-wide mono small">{name}</td>
              <td className="muted">{always_sent ? "always" : "if wanted"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Every mail that the product sends, with sample values. */
export function MailPreviews(): ReactNode {
  const emails = useAdminQuery(["emails"], () => readData(api.GET("/api/admin/emails")));
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section className="stack-4" aria-labelledby="mails-heading">
      <h2 id="mails-heading">Email previews</h2>
      <LiveView query={emails} fallback="Failed to load the emails" rows={6}>
        {(found) => <MailTable emails={found.emails} onOpen={setOpen} />}
      </LiveView>
      {open === null ? null : <MailPreview name={open} onClose={() => setOpen(null)} />}
    </section>
  );
}
