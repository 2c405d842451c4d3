const answer = await fetch("{{ site_url }}/api/v1/validate/single", {
  method: "POST",
  headers: {
    Authorization: "Bearer {{ key }}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ email: "valid@test.emailcheck.app" }),
});
if (!answer.ok) throw new Error(await answer.text());
const verdict = await answer.json();
console.log(verdict.category, verdict.safe_to_send);
