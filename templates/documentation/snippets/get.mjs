const answer = await fetch("{{ site_url }}/api/v1{{ path }}", {
  headers: { Authorization: "Bearer {{ key }}" },
});
if (!answer.ok) throw new Error(await answer.text());
console.log(await answer.json());
