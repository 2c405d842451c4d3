import { createInterface } from "node:readline";
import { Readable } from "node:stream";

const api = "{{ site_url }}/api/v1";
const headers = { Authorization: "Bearer {{ key }}", "Content-Type": "application/json" };
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** After 429 and 503 waits as Retry-After says; throws any other refusal, with its message and request_id. */
async function call(path, options = {}) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(api + path, { headers, ...options });
    if (answer.ok) return answer;
    if (![429, 503].includes(answer.status) || attempt === 4) throw new Error(await answer.text());
    await sleep(Number(answer.headers.get("Retry-After") ?? 2 ** attempt));
  }
}

const emails = ["valid@test.emailcheck.app", "catch_all@test.emailcheck.app"];
const sent = await (await call("/validate/bulk", { method: "POST", body: JSON.stringify({ emails }) })).json();
const batch = `/validate/batch/${sent.batch_id}`;
let { status } = sent;
while (["queued", "processing"].includes(status)) {
  await sleep(2);
  ({ status } = await (await call(`${batch}/status`)).json());
}
if (status !== "completed") {
  const why = { paused: "it goes on when its cause is gone", cancelled: "somebody stopped it" };
  throw new Error(`${sent.batch_id} is ${status}: ${why[status] ?? "send it again"}`);
}

const answer = await call(`${batch}/results`, { headers: { ...headers, Accept: "application/x-ndjson" } });
for await (const line of createInterface({ input: Readable.fromWeb(answer.body) })) {
  const { row, email, category } = JSON.parse(line);
  console.log(row, email, category);
}
