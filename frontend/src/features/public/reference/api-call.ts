import { formatJson } from "../../../lib/json";

/** A field of a call beside a JSON body: in the path, in the query, or of a form. */
export interface CallField {
  name: string;
  place: "path" | "query" | "form";
  required: boolean;
  /** What it may be, where that is a fixed set. */
  values: string[];
  file: boolean;
}

/** A call of the API as the console knows it; `path` has its parameters in braces. */
export interface Call {
  id: string;
  title: string;
  method: string;
  path: string;
  fields: CallField[];
  /** An example of the JSON body; null where the call takes none. */
  body: string | null;
}

/** What was entered. */
export interface CallInput {
  values: Record<string, string>;
  file: File | null;
  body: string;
}

export interface CallAnswer {
  status: number;
  milliseconds: number;
  headers: [string, string][];
  text: string;
}

const HEADERS = [
  "X-Request-Id",
  "RateLimit-Policy",
  "RateLimit",
  "X-Credits-Remaining",
  "Retry-After",
  "Content-Type",
  "Content-Disposition",
];
const LONGEST = 20_000;

function listFilled(call: Call, { values }: CallInput, place: CallField["place"]): [string, string][] {
  const named = call.fields.filter((field) => field.place === place && !field.file);
  return named
    .map(({ name }): [string, string] => [name, values[name] ?? ""])
    .filter(([, value]) => value !== "");
}

/** Path and query. */
function buildAddress(call: Call, entered: CallInput): string {
  const path = listFilled(call, entered, "path").reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    call.path,
  );
  const query = new URLSearchParams(listFilled(call, entered, "query")).toString();
  return query === "" ? path : `${path}?${query}`;
}

function takesForm(call: Call): boolean {
  return call.fields.some(({ place }) => place === "form");
}

/** Fit for a shell. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function formatCurlBody(call: Call, entered: CallInput): string[] {
  if (call.body !== null) return [`-H 'Content-Type: application/json'`, `-d ${quoteForShell(entered.body)}`];
  if (!takesForm(call)) return [];
  const fields = listFilled(call, entered, "form").map(
    ([name, value]) => `-F ${quoteForShell(`${name}=${value}`)}`,
  );
  return [`-F ${quoteForShell(`file=@${entered.file?.name ?? "list.csv"}`)}`, ...fields];
}

/** The call as a command. */
export function formatCurl(call: Call, entered: CallInput, key: string): string {
  const address = quoteForShell(location.origin + buildAddress(call, entered));
  const body = formatCurlBody(call, entered);
  const isPlain = call.method === "GET" || (call.method === "POST" && body.length > 0);
  const start = `curl ${isPlain ? "" : `-X ${call.method} `}${address}`;
  return [start, `-H ${quoteForShell(`Authorization: Bearer ${key || "ec_test_…"}`)}`, ...body].join(
    " \\\n  ",
  );
}

function buildBody(call: Call, entered: CallInput): BodyInit | null {
  if (call.body !== null) return entered.body;
  if (!takesForm(call)) return null;
  const form = new FormData();
  if (entered.file) form.append("file", entered.file);
  for (const [name, value] of listFilled(call, entered, "form")) form.append(name, value);
  return form;
}

async function readText(response: Response): Promise<string> {
  const type = response.headers.get("Content-Type") ?? "";
  const body = await response.blob();
  if (!/json|text/.test(type)) return `${body.size} bytes of ${type}`;
  const text = formatJson(await body.text());
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text;
}

/** Makes the call with a key alone, without any cookie. Rejects when no answer comes. */
export async function sendCall(call: Call, entered: CallInput, key: string): Promise<CallAnswer> {
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (call.body !== null) headers["Content-Type"] = "application/json";
  const started = performance.now();
  const response = await fetch(buildAddress(call, entered), {
    method: call.method,
    headers,
    body: buildBody(call, entered),
    credentials: "omit",
  });
  const text = await readText(response);
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - started),
    headers: HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    }),
    text,
  };
}
