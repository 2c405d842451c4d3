curl {{ site_url }}/api/v1/validate/bulk \
  -H "Authorization: Bearer {{ key }}" \
  -H "Content-Type: application/json" \
  -d '{"emails": ["valid@test.emailcheck.app", "invalid@test.emailcheck.app"]}'
