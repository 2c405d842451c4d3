curl {{ site_url }}/api/v1/validate/single \
  -H "Authorization: Bearer {{ key }}" \
  -H "Content-Type: application/json" \
  -d '{"email": "valid@test.emailcheck.app"}'
