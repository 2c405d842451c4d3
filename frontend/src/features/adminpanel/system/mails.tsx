import { useState, type ReactNode } from "react";

import type { Emails } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, dataOf } from "../../../lib/client";
import { Dialog } from "../../../ui/dialog";
import { Fresh } from "../../../ui/fresh";
import { Segments } from "../../../ui/segments";
import { TableHead } from "../../../ui/table";

type Email = Emails["emails"][number];
const PARTS = { html: "HTML", text: "Text" } as const;

function Preview({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  const [part, setPart] = useState<keyof typeof PARTS>("html");
  const mail = useAdminQuery(["emails", name], () =>
    dataOf(api.GET("/api/admin/emails/{name}/preview", { params: { path: { name } } })),
  );
  return (
    <Dialog
      wide
      title={mail.data?.subject ?? name}
      description="Names, numbers and links are sample values."
      onClose={onClose}
    >
      <div className="stack-4">
        <Segments label="Part" options={PARTS} value={part} onChange={setPart} />
        <Fresh query={mail} fallback="Failed to load the email" rows={6}>
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
        </Fresh>
      </div>
    </Dialog>
  );
}

function Table({ emails, onOpen }: { emails: Email[]; onOpen: (name: string) => void }): ReactNode {
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
  const emails = useAdminQuery(["emails"], () => dataOf(api.GET("/api/admin/emails")));
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section className="stack-4" aria-labelledby="mails-heading">
      <h2 id="mails-heading">Email previews</h2>
      <Fresh query={emails} fallback="Failed to load the emails" rows={6}>
        {(found) => <Table emails={found.emails} onOpen={setOpen} />}
      </Fresh>
      {open === null ? null : <Preview name={open} onClose={() => setOpen(null)} />}
    </section>
  );
}
