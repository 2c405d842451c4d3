import { randomUUID } from "node:crypto";

const api = "{{ site_url }}/api/v1";
const key = "{{ key }}";

class EmailCheckError extends Error {
  constructor(status, { code, message, request_id }) {
    super(`${status} ${code}: ${message} (${request_id})`);
    Object.assign(this, { status, code });
  }
}

async function call(method, path, body) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  if (method === "POST") headers["Idempotency-Key"] = randomUUID(); // the same for every try
  const options = { method, headers, body: body && JSON.stringify(body) };
  let answer;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    answer = await fetch(api + path, options);
    if (![429, 503].includes(answer.status) || attempt === 4) break;
    const seconds = Number(answer.headers.get("Retry-After") ?? 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
  if (!answer.ok) throw new EmailCheckError(answer.status, await answer.json());
  return answer.json();
}

const { flags } = await call("POST", "/validate/single", { email: "role@test.emailcheck.app" });
console.log(flags);
try {
  await call("POST", "/validate/single", { email: "out_of_credits@test.emailcheck.app" });
} catch (error) {
  console.log(error.code);
}
