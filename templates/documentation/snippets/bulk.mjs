const answer = await fetch("{{ site_url }}/api/v1/validate/bulk", {
  method: "POST",
  headers: {
    Authorization: "Bearer {{ key }}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    emails: ["valid@test.emailcheck.app", "invalid@test.emailcheck.app"],
  }),
});
if (!answer.ok) throw new Error(await answer.text());
const { results } = await answer.json();
for (const { email, category } of results) console.log(email, category);
