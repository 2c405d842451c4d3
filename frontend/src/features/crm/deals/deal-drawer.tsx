import { useState, type ReactNode } from "react";

import type { Deal, DealDetail, DealEvent, DealStage } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatDate, formatUsd, NO_VALUE } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { Facts } from "../../../ui/facts";
import { RecordDrawer, type RecordPlace } from "../../../ui/record-drawer";
import { AreaField } from "../../../ui/form";
import { PageForm } from "../../../ui/form-foot";
import { Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { DEALS, formatStage, STAGES } from "../labels";
import { ContactLink } from "./contact-link";
import { reloadDeals } from "./use-board";
import { WinDialog } from "./win-dialog";
import { Select } from "../../../ui/select";

const ACTIONS: Partial<Record<string, string>> = {
  created: "Created",
  edited: "Edited",
  moved: "Moved",
  noted: "Note",
  contacted: "Contacted by email",
};

/** Moves a deal, and offers the way back; `before` is where it was. */
function useStage(deal: Deal) {
  const params = { path: { deal_id: deal.id } };
  const change = useAction(
    ({ stage }: { stage: DealStage; before: DealStage }) =>
      readData(api.POST("/api/admin/deals/{deal_id}/move", { params, body: { stage } })),
    `Failed to move ${deal.companyName}`,
    {
      says: "described",
      done: (_, { stage }) => `${deal.companyName} moved to ${formatStage(stage)}`,
      undo: (_, { stage, before }) => change.mutate({ stage: before, before: stage }),
      onEnd: () => reloadDeals(),
    },
  );
  return change;
}

function StageMenu({ deal }: { deal: Deal }): ReactNode {
  const [winning, setWinning] = useState(false);
  const change = useStage(deal);
  const choose = (stage: DealStage) => {
    if (stage === "closed_won") setWinning(true);
    else change.mutate({ stage, before: deal.stage });
  };
  return (
    <label className="filter">
      <span className="muted">Stage</span>
      <Select
        value={change.variables && change.isPending ? change.variables.stage : deal.stage}
        options={STAGES}
        onChange={choose}
      />
      {winning ? (
        <WinDialog
          deal={deal}
          onWin={() => change.mutate({ stage: "closed_won", before: deal.stage })}
          onClose={() => setWinning(false)}
        />
      ) : null}
    </label>
  );
}

function DealFacts({ detail }: { detail: DealDetail }): ReactNode {
  const { deal, contract_id, quotes } = detail;
  const lines = [
    ["Value", formatUsd(deal.dealValue)],
    ["Expected close", formatDate(deal.expectedCloseDate)],
    ["Contact", deal.contactName],
    ["Email", deal.contactEmail],
    ["Created", <Time at={deal.createdAt} />],
    ["Last contact", deal.lastContact ? <Time at={deal.lastContact} /> : NO_VALUE],
    [
      "Quotes",
      quotes.length === 0
        ? NO_VALUE
        : quotes.map(({ quote_id }) => (
            <a key={quote_id} className="mono deal-quote" href={`/admin?tab=quotes&quote=${quote_id}`}>
              {quote_id}
            </a>
          )),
    ],
    [
      "Contract",
      contract_id === null ? (
        NO_VALUE
      ) : (
        <a href={`/admin?tab=crm&view=contracts&contract=${contract_id}`}>Open contract</a>
      ),
    ],
  ] as const;
  return <Facts facts={lines} className="facts deal-facts" />;
}

function NoteForm({ deal }: { deal: Deal }): ReactNode {
  const form = useForm({
    defaults: { text: "" },
    check: ({ text }) => (text.trim() === "" ? { text: "Write a note first" } : {}),
    send: async ({ text }) => {
      const params = { path: { deal_id: deal.id } };
      await readData(api.POST("/api/admin/deals/{deal_id}/notes", { params, body: { text } }));
      form.set("text", "");
      void reloadDeals();
    },
    fallback: "Failed to add the note",
    unsent: `deal-note:${deal.id}`,
  });
  return (
    <PageForm form={form} className="stack-2" action="Add note" kind="plain">
      <AreaField form={form} name="text" label="Add a note" rows={2} maxLength={5_000} />
    </PageForm>
  );
}

function DealEventItem({ event }: { event: DealEvent }): ReactNode {
  return (
    <li className="deal-event">
      <p>
        <strong>{ACTIONS[event.action] ?? event.action}</strong>{" "}
        <span className="muted small">
          <Time at={event.time} /> · <span className="break">{event.user}</span>
        </span>
      </p>
      {event.text ? <p className="break deal-text">{event.text}</p> : null}
    </li>
  );
}

interface DealActionsProps {
  deal: Deal;
  onEdit: (deal: Deal) => void;
  onQuote: (deal: Deal) => void;
  onGone: () => void;
}

function DealActions({ deal, onEdit, onQuote, onGone }: DealActionsProps): ReactNode {
  const params = { path: { deal_id: deal.id } };
  return (
    <div className="row">
      <Button onClick={() => onEdit(deal)}>Edit</Button>
      <Button onClick={() => onQuote(deal)}>Quote</Button>
      <ContactLink deal={deal} />
      <DialogButton
        kind="quiet"
        dialog={(close) => (
          <ConfirmDialog
            title={`Delete the deal of ${deal.companyName}?`}
            action="Delete deal"
            act={() => readData(api.DELETE("/api/admin/deals/{deal_id}", { params }))}
            failed="Failed to delete the deal"
            says="here"
            onDone={() => {
              onGone();
              void reloadDeals();
            }}
            onClose={close}
          >
            <p className="break">
              {formatUsd(deal.dealValue)}, with its notes and its history. This cannot be undone.
            </p>
          </ConfirmDialog>
        )}
      >
        Delete
      </DialogButton>
    </div>
  );
}

interface DrawerProps {
  place: RecordPlace;
  onEdit: (deal: Deal) => void;
  onQuote: (deal: Deal) => void;
}

/** A deal with everything about it, beside the board. */
export function DealDrawer({ place, onEdit, onQuote }: DrawerProps): ReactNode {
  const id = Number(place.id);
  const params = { path: { deal_id: id } };
  const detail = useAdminQuery([...DEALS, id], () =>
    readData(api.GET("/api/admin/deals/{deal_id}", { params })),
  );
  return (
    <RecordDrawer place={place} title={detail.data?.deal.companyName ?? "Deal"}>
      <Loaded query={detail} fallback="Failed to load the deal" rows={6}>
        {(found) => (
          <div className="stack" key={found.deal.id}>
            <StageMenu deal={found.deal} />
            <DealFacts detail={found} />
            <DealActions deal={found.deal} onEdit={onEdit} onQuote={onQuote} onGone={place.record.close} />
            {found.deal.notes ? (
              <section className="stack-1" aria-label="Notes">
                <h3>Notes</h3>
                <p className="break deal-text">{found.deal.notes}</p>
              </section>
            ) : null}
            <NoteForm deal={found.deal} />
            <section className="stack-2" aria-label="History">
              <h3>History</h3>
              <ol className="list-rows">
                {found.history.map((event, index) => (
                  <DealEventItem key={found.history.length - index} event={event} />
                ))}
              </ol>
            </section>
          </div>
        )}
      </Loaded>
    </RecordDrawer>
  );
}
