import Mail from "lucide-react/icons/mail";
import { useEffect, useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { QuoteRequest } from "../../../api/types";
import { reloadAdmin, useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { formatNumber, formatCount } from "../../../lib/format";
import { buildMailto } from "../../../lib/mailto";
import { useAction } from "../../../lib/use-action";
import { Badge } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { ListRows } from "../../../ui/data-table/list-rows";
import { FieldError } from "../../../ui/field";
import { RefetchButton } from "../../../ui/refetch-button";
import { Section } from "../../../ui/section";
import { Time } from "../../../ui/values";
import { REQUESTS } from "./quote-data";
import { usePages, type CursorView } from "../../../ui/data-table/use-table-view";
import { CursorPager, BY_TIME } from "../../../ui/data-table/pager";
import { ShortenedList } from "../../../ui/data-table/shortened-list";

const SUBJECT = "Regarding your custom quote request";
type Answer = "PENDING" | "DECLINED";

async function answerRequest(request_id: number, status: Answer): Promise<void> {
  const params = { path: { request_id } };
  await readData(api.PUT("/api/admin/custom-quote-requests/{request_id}", { params, body: { status } }));
  await reloadAdmin(...REQUESTS);
}

function useAnswerRequest(id: number) {
  const undo = () =>
    void answerRequest(id, "PENDING").catch(() => toast.error("Failed to take the request up again"));
  return useAction((status: Answer) => answerRequest(id, status), "Failed to update the request", {
    onDone: (_, status) => {
      if (status === "DECLINED")
        toast.success("Request dismissed", { action: { label: "Undo", onClick: undo } });
    },
  });
}

interface RequestEntryProps {
  request: QuoteRequest;
  onQuote: (request: QuoteRequest) => void;
}

function RequestActions({ request, onQuote }: RequestEntryProps): ReactNode {
  const change = useAnswerRequest(request.id);
  const named = `of ${request.user_name}`;
  return (
    <div className="row quote-request-actions">
      <Button aria-label={`Generate Quote for the request ${named}`} onClick={() => onQuote(request)}>
        Generate Quote
      </Button>
      <ButtonLink kind="quiet" href={buildMailto(request.user_email, { subject: SUBJECT })}>
        <Mail size={16} aria-hidden />
        Email User
      </ButtonLink>
      {request.status === "QUOTED" ? null : (
        <Button
          kind="quiet"
          busy={change.isPending}
          aria-label={`${request.status === "PENDING" ? "Dismiss" : "Take up"} the request ${named}`}
          onClick={() => change.mutate(request.status === "PENDING" ? "DECLINED" : "PENDING")}
        >
          {request.status === "PENDING" ? "Dismiss" : "Take up again"}
        </Button>
      )}
    </div>
  );
}

function RequestEntry({ request, onQuote }: RequestEntryProps): ReactNode {
  const { status, user_name, user_email, company_name, credits_requested, notes, created_at } = request;
  return (
    <li className="list-row quote-request-row">
      <div className="grow stack-1">
        <p className="row">
          <strong className="nums">{formatNumber(credits_requested)} credits</strong>
          <Badge look={[status, "plain"]} />
          <span className="muted small">
            <Time at={created_at} />
          </span>
        </p>
        <p className="break">
          {user_name} <span className="muted">· {user_email}</span>
          {company_name ? <span className="muted"> · {company_name}</span> : null}
        </p>
        {notes ? <p className="muted small break quote-request-notes">{notes}</p> : null}
      </div>
      <RequestActions request={request} onQuote={onQuote} />
    </li>
  );
}

type QuoteHandler = Pick<RequestEntryProps, "onQuote">;
type State = "open" | "answered";

function useRequests(state: State, cursor: string) {
  const query = { state, cursor };
  return useAdminQuery([...REQUESTS, query], () =>
    readData(api.GET("/api/admin/custom-quote-requests", { params: { query } })),
  );
}

type QuoteRequests = ReturnType<typeof useRequests>;

function LoadProblem({ requests }: { requests: QuoteRequests }): ReactNode {
  const { error } = requests;
  useEffect(() => {
    if (error) console.warn("Custom quote requests could not be loaded", error);
  }, [error]);
  if (!error) return null;
  return <FieldError>{getErrorMessage(error, "Failed to load custom quote requests")}</FieldError>;
}

interface RequestListProps extends QuoteHandler {
  requests: QuoteRequests;
  view: CursorView;
}

function RequestList({ requests, view, onQuote }: RequestListProps): ReactNode {
  const { data } = requests;
  return (
    <>
      <LoadProblem requests={requests} />
      {data ? (
        <ShortenedList
          rows={data.requests}
          pages={<CursorPager view={view} next={data.next} words={BY_TIME} />}
        >
          {(rows, foot) => (
            <>
              <ListRows
                rows={rows}
                item={(request) => <RequestEntry key={request.id} request={request} onQuote={onQuote} />}
              />
              {foot}
            </>
          )}
        </ShortenedList>
      ) : null}
    </>
  );
}

/** Those that have an answer, page by page, once they are asked for. */
function AnsweredRequests({ count, onQuote }: { count: number } & QuoteHandler): ReactNode {
  const [shown, setShown] = useState(false);
  if (count === 0) return null;
  return (
    <>
      {shown ? <AnsweredRequestList onQuote={onQuote} /> : null}
      <div className="row">
        <Button kind="quiet" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? "Hide answered requests" : `Show ${formatCount(count, "answered request")}`}
        </Button>
      </div>
    </>
  );
}

function AnsweredRequestList({ onQuote }: QuoteHandler): ReactNode {
  const [cursors, setCursors] = usePages("answered");
  const requests = useRequests("answered", cursors.at(-1) ?? "");
  return <RequestList requests={requests} view={{ cursors, setCursors }} onQuote={onQuote} />;
}

/** Whether there is anything to tell: requests, or that they could not be loaded. */
function hasContent({ error, data }: QuoteRequests): boolean {
  return error !== null || (data !== undefined && data.total + data.answered > 0);
}

/** Whether it is known if anybody has asked: what stands below the requests waits for it, or would be moved. */
export function useRequestsLoaded(): boolean {
  return useRequests("open", "").isFetched;
}

/** What customers ask for; nothing while nobody has asked. */
export function QuoteRequests({ onQuote }: QuoteHandler): ReactNode {
  const [cursors, setCursors] = usePages("open");
  const open = useRequests("open", cursors.at(-1) ?? "");
  if (!hasContent(open)) return null;
  return (
    <Section
      id="quote-requests-heading"
      title="Custom Quote Requests from Users"
      card
      aside={<RefetchButton query={open} words="Refresh" />}
    >
      {open.data?.total === 0 ? <p className="muted">No request waits for an answer.</p> : null}
      <RequestList requests={open} view={{ cursors, setCursors }} onQuote={onQuote} />
      <AnsweredRequests count={open.data?.answered ?? 0} onQuote={onQuote} />
    </Section>
  );
}
