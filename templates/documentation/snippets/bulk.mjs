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

const emails = ["valid@test.emailcheck.app", "invalid@test.emailcheck.app"];
const list = await (await call("/validate/bulk", { method: "POST", body: JSON.stringify({ emails }) })).json();
if (list.status !== "completed") {
  throw new Error(`${list.batch_id} is ${list.status}: ask for its status, as a file is followed`);
}
for (const { email, category } of list.results) console.log(email, category);
