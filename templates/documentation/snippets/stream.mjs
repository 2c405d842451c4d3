import { createInterface } from "node:readline";
import { Readable } from "node:stream";

const api = "{{ site_url }}/api/v1";
const headers = { Authorization: "Bearer {{ key }}" };

const sent = await fetch(`${api}/validate/bulk`, {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify({
    emails: ["valid@test.emailcheck.app", "catch_all@test.emailcheck.app"],
  }),
});
if (!sent.ok) throw new Error(await sent.text());
const { batch_id } = await sent.json();

const answer = await fetch(`${api}/validate/batch/${batch_id}/results`, {
  headers: { ...headers, Accept: "application/x-ndjson" },
});
if (!answer.ok) throw new Error(await answer.text());
for await (const line of createInterface({ input: Readable.fromWeb(answer.body) })) {
  const { row, email, category } = JSON.parse(line);
  console.log(row, email, category);
}
