import { readFile, writeFile } from "node:fs/promises";

const api = "{{ site_url }}/api/v1";
const headers = { Authorization: "Bearer {{ key }}" };
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

const body = new FormData();
body.append("file", new Blob([await readFile("addresses.csv")]), "addresses.csv");
const sent = await (await call("/validate/upload", { method: "POST", body })).json();
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

const safe = await call(`${batch}/export?segment=safe`);
await writeFile("safe.csv", Buffer.from(await safe.arrayBuffer()));
console.log(status);
