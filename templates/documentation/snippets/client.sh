# curl repeats by itself what is worth repeating, and waits as long as Retry-After says.
# The Idempotency-Key makes that safe: what was charged once is not charged again.
curl {{ site_url }}/api/v1/validate/single \
  --retry 4 --retry-connrefused --fail-with-body -sS \
  -H "Authorization: Bearer {{ key }}" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: order-1042" \
  -d '{"email": "role@test.emailcheck.app"}'
