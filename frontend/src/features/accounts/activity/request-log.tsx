import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { ApiCall } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatNumber } from "../../../lib/format";
import { formatJson } from "../../../lib/json";
import { useUrlState } from "../../../lib/url-state";
import { Button, ButtonLink } from "../../../ui/button";
import { ListRows } from "../../../ui/data-table/list-rows";
import { QueryRows } from "../../../ui/data-table/query-table";
import { Dialog } from "../../../ui/dialog";
import { SearchField } from "../../../ui/filters";
import { Select } from "../../../ui/select";
import { Secret } from "../../../ui/shown-once";
import { Loaded, ShowMore } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { useGrowingList } from "../../../lib/use-growing-list";
import { KEYS } from "../keys/key-dialogs";
import { RefusalAdvice } from "./refusal-advice";

const STATUSES = [
  ["", "All statuses"],
  ["2xx", "2xx done"],
  ["4xx", "4xx refused"],
  ["429", "429 too many"],
  ["5xx", "5xx failed"],
] as const;

interface Filters {
  status: string;
  key: string;
  path: string;
  request_id: string;
}

const NONE = { status: null, key: null, path: null, request_id: null };

/** The filters in the address; what is no filter is none. */
function readFilters(url: URLSearchParams): Filters {
  const status = url.get("status");
  const key = url.get("key") ?? "";
  return {
    status: STATUSES.find(([value]) => value === status)?.[0] ?? "",
    key: /^\d+$/.test(key) ? key : "",
    path: url.get("path") ?? "",
    request_id: url.get("request_id") ?? "",
  };
}

function useCalls(filters: Filters) {
  return useGrowingList({
    key: ["requests", filters],
    load: (cursor) => {
      const { key, ...texts } = filters;
      const wanted = Object.fromEntries(
        Object.entries({ ...texts, cursor }).filter(([, value]) => value !== ""),
      );
      const query = { ...wanted, ...(key ? { key: Number(key) } : {}) };
      return readData(api.GET("/api/user/requests", { params: { query } }));
    },
    // Calls come in at any time: what was loaded for these filters before is shown, and asked for again.
    staleTime: 0,
  });
}

function StatusCode({ status }: { status: number }): ReactNode {
  const tone = status < 400 ? "tone-plain" : "tone-problem";
  return <span className={`badge nums call-status ${tone}`}>{status}</span>;
}

function BodyBlock({ title, text }: { title: string; text: string }): ReactNode {
  return (
    <div className="stack-1">
      <h3>{title}</h3>
      {text === "" ? <p className="muted">Empty</p> : <pre className="call-text">{formatJson(text)}</pre>}
    </div>
  );
}

function Detail({ call, onClose }: { call: ApiCall; onClose: () => void }): ReactNode {
  const path = { request_id: call.request_id };
  const detail = useQuery({
    queryKey: ["request", call.request_id],
    queryFn: () => readData(api.GET("/api/user/requests/{request_id}", { params: { path } })),
  });
  return (
    <Dialog title={`${call.method} ${call.path}`} onClose={onClose} wide>
      <div className="stack-4">
        <p className="row">
          <StatusCode status={call.status} />
          <Time at={call.time} />
          <span className="muted">{formatNumber(call.duration_ms)} ms</span>
          {call.key_prefix ? <code>{call.key_prefix}…</code> : null}
        </p>
        <Secret text={call.request_id} label="Request id" copy="Copy request id" />
        <Loaded query={detail} fallback="Failed to load this request" rows={4}>
          {({ error_code, request_body, response_body }) => (
            <>
              {error_code ? (
                <p>
                  Code <code>{error_code}</code>
                </p>
              ) : null}
              {call.status >= 400 ? <RefusalAdvice call={call} onLeave={onClose} /> : null}
              <BodyBlock title="Request body" text={request_body} />
              <BodyBlock title="Response body" text={response_body} />
              <p className="muted small">Addresses and texts are replaced before a request is kept.</p>
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}

/** Links to the entries of the changelog about what a call used. */
function DeprecationMarks({ anchors }: { anchors: string }): ReactNode {
  const entries = anchors.split(" ").filter(Boolean);
  if (entries.length === 0) return null;
  return (
    <span className="row call-marks">
      {entries.map((anchor) => (
        <a
          key={anchor}
          className="badge tone-plain"
          href={`/changelog#${anchor}`}
          aria-label={`Deprecated: ${anchor.replaceAll("-", " ")}`}
        >
          Deprecated
        </a>
      ))}
    </span>
  );
}

function Line({ call, onOpen }: { call: ApiCall; onOpen: () => void }): ReactNode {
  return (
    <li className="list-row list-row-short">
      <StatusCode status={call.status} />
      <button type="button" className="call-path" onClick={onOpen}>
        <span className="mono">
          {call.method} {call.path}
        </span>
      </button>
      <DeprecationMarks anchors={call.deprecated} />
      <span className="muted small nums">{formatNumber(call.duration_ms)} ms</span>
      <span className="mono muted small">{call.key_prefix ? `${call.key_prefix}…` : "key deleted"}</span>
      <span className="muted small list-time">
        <Time at={call.time} />
      </span>
    </li>
  );
}

interface FiltersProps {
  filters: Filters;
  onChange: (change: Partial<Filters>, how?: "replace") => void;
}

function FilterBar({ filters, onChange }: FiltersProps): ReactNode {
  const keys = useQuery({
    queryKey: KEYS,
    queryFn: async () => (await readData(api.GET("/api/user/api-keys"))).keys,
  });
  return (
    <div className="call-filters">
      <Select
        label="Status"
        value={filters.status}
        options={STATUSES}
        onChange={(status) => onChange({ status })}
      />
      <Select
        label="Key"
        value={filters.key}
        options={[["", "All keys"], ...(keys.data ?? []).map(({ id, name }) => [String(id), name] as const)]}
        onChange={(key) => onChange({ key })}
      />
      <SearchField label="Path" value={filters.path} onSearch={(path) => onChange({ path }, "replace")} />
      <SearchField
        label="Request id"
        value={filters.request_id}
        onSearch={(request_id) => onChange({ request_id: request_id.trim() }, "replace")}
      />
    </div>
  );
}

function CallList({ calls }: { calls: readonly ApiCall[] }): ReactNode {
  const [opened, setOpened] = useState<ApiCall | null>(null);
  return (
    <>
      <ListRows
        rows={calls}
        item={(call, index) => (
          <Line key={`${call.request_id}-${index}`} call={call} onOpen={() => setOpened(call)} />
        )}
      />
      {opened ? <Detail call={opened} onClose={() => setOpened(null)} /> : null}
    </>
  );
}

/** The calls that were made with the account's keys. */
export function RequestLog(): ReactNode {
  const [url, setUrl] = useUrlState();
  const filters = readFilters(url);
  const pages = useCalls(filters);
  return (
    <>
      <div className="row row-between">
        <p className="muted">Calls with your API keys in the last 30 days, newest first.</p>
        <Button busy={pages.isRefetching} onClick={() => void pages.refetch()}>
          Refresh
        </Button>
      </div>
      <FilterBar filters={filters} onChange={(change, how) => setUrl({ ...change }, how)} />
      <QueryRows
        query={pages}
        fallback="Failed to load requests"
        skeleton={5}
        view={{ filtered: Object.values(filters).some(Boolean), clear: () => setUrl(NONE) }}
        pick={({ pages: found }) => found.flatMap(({ requests }) => requests)}
        empty={{
          title: "No requests yet",
          text: "Calls that programs make with your API keys appear here within a second or two.",
          action: <ButtonLink href="/documentation#authentication">Make the first call</ButtonLink>,
        }}
        noMatch={{ title: "No requests match" }}
      >
        {(calls) => <CallList calls={calls} />}
      </QueryRows>
      <ShowMore pages={pages} />
    </>
  );
}
