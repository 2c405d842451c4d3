import { type ReactNode } from "react";

import { PROGRAMS, type Program } from "../results/server-export";

/** From the help pages of each program; `docs/files.md` names them. */
const STEPS: Record<Program, readonly string[]> = {
  mailchimp: [
    "In your audience, start an import of contacts from a file.",
    "Choose the Mailchimp file. Email Address, First Name and Last Name are matched to the fields of your audience.",
    "Match Tags to Tags, so that each contact is tagged with its category.",
    "Say what the contacts are, subscribed or not, and finish the import.",
  ],
  hubspot: [
    "Open Contacts, choose Import, and upload the HubSpot file as one file about contacts.",
    "Email, First Name and Last Name are matched to the properties of contacts.",
    "For Email Verdict choose a property of your own, or create one there as single-line text. Then finish the import.",
  ],
  klaviyo: [
    "Open Lists & segments and create a list, or open one.",
    "Choose to upload contacts, and pick the Klaviyo file. Email, First Name and Last Name are matched by their names.",
    "Keep email_verdict as a custom property. Segments can use it then. Finish the import.",
  ],
  brevo: [
    "In Contacts, start an import from a file, and upload the Brevo file.",
    "EMAIL, FIRSTNAME and LASTNAME are matched to your attributes. In accounts of another language the names have other attributes: choose those.",
    "For EMAIL_VERDICT create a text attribute in the mapping, or skip it.",
    "Choose the list that the contacts go to, and confirm the import.",
  ],
};

/** How to bring the files into each program. */
export function ImportGuides(): ReactNode {
  return (
    <section className="card stack-4" aria-labelledby="import-heading">
      <h2 id="import-heading">How to import</h2>
      <p className="muted">
        Each file is a CSV in UTF-8 whose columns have the names that the program knows. Only import people
        who agreed to hear from you.
      </p>
      <div className="stack-2">
        {(Object.keys(PROGRAMS) as Program[]).map((program) => (
          <details key={program} className="technical">
            <summary>{PROGRAMS[program]}</summary>
            <ol className="guide">
              {STEPS[program].map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </details>
        ))}
      </div>
    </section>
  );
}
