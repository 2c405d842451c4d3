import { useState, type ReactNode } from "react";

import type { Client, Clients } from "../../../api/types";
import { formatCount, formatNumber } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { ListRows } from "../../../ui/data-table/list-rows";
import { RowMenu } from "../../../ui/row-menu";
import { LogoDialog, NameDialog, TransfersDialog } from "./client-dialogs";
import { MoveCredits } from "./move-credits";

type Step = "credits" | "transfers" | "name" | "logo";

interface ClientRowProps {
  client: Client;
  movable: number;
}

function OpenDialog({
  step,
  ...props
}: ClientRowProps & { step: Step | null; onClose: () => void }): ReactNode {
  if (step === "credits") return <MoveCredits {...props} />;
  if (step === "transfers") return <TransfersDialog {...props} />;
  if (step === "name") return <NameDialog {...props} />;
  return step === "logo" ? <LogoDialog {...props} /> : null;
}

function ClientRow({ client, movable }: ClientRowProps): ReactNode {
  const [step, setStep] = useState<Step | null>(null);
  const { name, credits, returnable, members } = client;
  return (
    <li className="list-row">
      <div className="grow">
        <p>
          <strong className="break">{name}</strong>
        </p>
        <p className="muted small">
          {formatCount(credits, "credit")}
          {credits > 0 ? `, ${formatNumber(returnable)} of them can be taken back` : ""} ·{" "}
          {members === 0 ? "no members yet" : formatCount(members, "member")}
        </p>
      </div>
      <div className="row">
        <Button aria-label={`Move credits of ${name}`} onClick={() => setStep("credits")}>
          Credits
        </Button>
        <RowMenu
          row={name}
          actions={[
            { words: "Transfers", name: `Transfers of ${name}`, act: () => setStep("transfers") },
            { words: "Rename", name: `Rename ${name}`, act: () => setStep("name"), changes: true },
            { words: "Logo", name: `Logo of ${name}`, act: () => setStep("logo"), changes: true },
          ]}
        />
      </div>
      <OpenDialog step={step} client={client} movable={movable} onClose={() => setStep(null)} />
    </li>
  );
}

/** The clients of an agency. */
export function ClientList({ found, make }: { found: Clients; make: ReactNode }): ReactNode {
  const nothing = found.may_make
    ? {
        title: "No clients yet",
        text: "A client has its own members, lists and keys. You give it credits and get the one bill.",
        action: make,
      }
    : {
        title: "Clients come with Growth",
        text: "On Growth and higher plans you can make organisations for your clients and give them credits.",
        action: <a href="/upgrade">See the plans</a>,
        plain: true,
      };
  return (
    <ListRows
      rows={found.clients}
      empty={nothing}
      item={(client) => <ClientRow key={client.id} client={client} movable={found.movable} />}
    />
  );
}
