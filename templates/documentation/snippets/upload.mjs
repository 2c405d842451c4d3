import { readFile, writeFile } from "node:fs/promises";

const api = "{{ site_url }}/api/v1";
const headers = { Authorization: "Bearer {{ key }}" };

async function call(path, options = {}) {
  const answer = await fetch(api + path, { headers, ...options });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

const body = new FormData();
body.append("file", new Blob([await readFile("addresses.csv")]), "addresses.csv");
const sent = await (await call("/validate/upload", { method: "POST", body })).json();
const batch = `/validate/batch/${sent.batch_id}`;

let { status } = sent;
while (["queued", "processing"].includes(status)) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  ({ status } = await (await call(`${batch}/status`)).json());
}

const safe = await call(`${batch}/export?segment=safe`);
await writeFile("safe.csv", Buffer.from(await safe.arrayBuffer()));
console.log(status);
